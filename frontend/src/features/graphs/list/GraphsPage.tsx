import { DocumentsPage } from "@/shared/documents/DocumentsPage";
import type { DocumentKind } from "@/shared/documents/kind";
import { graphCreate, graphCreateEmpty, graphList } from "../requests/graphRequests";
import { EXAMPLES } from "./examples";

const GRAPHS: DocumentKind = {
  kind: "graphs",
  list: async (query) => {
    const page = await graphList(query);
    return { ...page, results: page.results.map(({ description, ...row }) => ({ ...row, desc: description })) };
  },
  create: async (from) => {
    if (typeof from === "string") return graphCreate(from);
    const { newGraphText } = await import("./newGraphText");
    return graphCreateEmpty(newGraphText(from.name, from.desc));
  },
  name: /^[\p{L}\p{N}_-]{1,64}$/u,
  placeholder: "order_desk",
  accept: ".yaml,.yml,.json,text/yaml,application/json",
  examples: EXAMPLES,
};

export function GraphsPage() {
  return <DocumentsPage of={GRAPHS} />;
}
