import { Raw } from "@/shared/yaml/plain";
import { addNode, editGraph, put } from "../document/graphEdits";
import { NEW_GRAPH } from "./examples";

/** The text of a new graph. */
export function newGraphText(name: string, description: string): string {
  return [
    ["name", name],
    ["description", description],
  ].reduce((text, [field, value]) => {
    const result = value ? editGraph(text, put([field!], value)) : { ok: false as const };
    return result.ok ? result.text : text;
  }, NEW_GRAPH);
}

/** The server takes a new graph only when it could run; a draft may be empty. */
export function withFirstStep(text: string): string {
  const result = editGraph(
    text,
    addNode({ name: "begin", call: "Delay", settings: { seconds: new Raw("0") }, x: 0, y: 0 }),
  );
  return result.ok ? result.text : text;
}
