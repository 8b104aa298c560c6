import type { Tool } from "@/shared/api/shapes";
import type { DraftKind } from "@/shared/editor/draft";
import { toolCreate } from "../requests/toolCreate";
import { toolDelete } from "../requests/toolDelete";
import { toolPublish } from "../requests/toolPublish";
import { toolSave } from "../requests/toolSave";
import { versionList } from "../requests/versionList";
import { versionRead } from "../requests/versionRead";
import { versionRestore } from "../requests/versionRestore";

export const toolKind: DraftKind<Tool> = {
  place: "tools",
  create: toolCreate,
  save: toolSave,
  remove: toolDelete,
  publish: toolPublish,
  versions: versionList,
  version: versionRead,
  restore: versionRestore,
};
