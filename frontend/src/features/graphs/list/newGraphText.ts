import { editGraph, put } from "../document/graphEdits";
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
