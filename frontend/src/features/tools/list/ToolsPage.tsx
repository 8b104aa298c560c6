import { DocumentsPage } from "@/shared/documents/DocumentsPage";
import type { DocumentKind } from "@/shared/documents/kind";
import { toolCreate } from "../requests/toolCreate";
import { toolList } from "../requests/toolList";
import { EXAMPLES } from "./starters";

const TOOLS: DocumentKind = {
  kind: "tools",
  list: toolList,
  create: async (from) => {
    if (typeof from === "string") return toolCreate(from);
    const { newToolText } = await import("./newToolText");
    return toolCreate(newToolText(from.name, from.desc));
  },
  name: /^[A-Za-z0-9_-]{1,64}$/,
  placeholder: "order_status",
  accept: ".yaml,.yml,text/yaml",
  examples: EXAMPLES,
};

export function ToolsPage() {
  return <DocumentsPage of={TOOLS} />;
}
