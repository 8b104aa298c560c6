import { DocumentsPage } from "@/shared/documents/DocumentsPage";
import type { DocumentKind } from "@/shared/documents/kind";
import { graphCreate, graphList, graphSave } from "../requests/graphRequests";
import { EXAMPLES } from "./examples";

const GRAPHS: DocumentKind = {
  kind: "graphs",
  list: async (query) => {
    const page = await graphList(query);
    return { ...page, results: page.results.map(({ description, ...row }) => ({ ...row, desc: description })) };
  },
  create: async (from) => {
    if (typeof from === "string") return graphCreate(from);
    const { newGraphText, withFirstStep } = await import("./newGraphText");
    const empty = newGraphText(from.name, from.desc);
    const { revision } = await graphCreate(withFirstStep(empty));
    return graphSave(from.name, { yaml: empty, base_revision: revision });
  },
  name: /^[\p{L}\p{N}_-]{1,64}$/u,
  placeholder: "order_desk",
  accept: ".yaml,.yml,.json,text/yaml,application/json",
  examples: EXAMPLES,
};

export function GraphsPage() {
  return <DocumentsPage of={GRAPHS} />;
}
