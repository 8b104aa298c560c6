import { DocumentsPage } from "@/shared/documents/DocumentsPage";
import type { DocumentKind } from "@/shared/documents/kind";
import { requestOf, useCurlNews } from "../curl/curlCommand";
import { curlImport } from "../requests/curlImport";
import { toolCreate } from "../requests/toolCreate";
import { toolList } from "../requests/toolList";
import { EXAMPLES } from "./starters";

const TOOLS: DocumentKind = {
  kind: "tools",
  list: toolList,
  create: async (from) => {
    if (typeof from === "string") return toolCreate(from);
    const { newToolText } = await import("./newToolText");
    if (!from.command) return toolCreate(newToolText(from.name, from.desc));
    const given = await curlImport(from.command);
    const made = await toolCreate(newToolText(from.name, from.desc, requestOf(given)));
    useCurlNews.getState().tell({ tool: made.name, step: 0, inserted: false, from: given });
    return made;
  },
  name: /^[A-Za-z0-9_-]{1,64}$/,
  placeholder: "order_status",
  accept: ".yaml,.yml,text/yaml",
  fromCommand: true,
  examples: EXAMPLES,
};

export function ToolsPage() {
  return <DocumentsPage of={TOOLS} />;
}
