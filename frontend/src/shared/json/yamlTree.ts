/** A YAML answer as the tree that JSON answers have; numbers keep their text. */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { JsonNode } from "./exact";

class NoTree extends Error {}

function nodeOf(node: unknown): JsonNode {
  if (isAlias(node)) throw new NoTree();
  if (isMap(node)) {
    return {
      kind: "object",
      entries: node.items.map((pair) => [
        isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : "?",
        nodeOf(pair.value),
      ]),
    };
  }
  if (isSeq(node)) return { kind: "array", items: node.items.map(nodeOf) };
  if (!isScalar(node) || node.value === null || node.value === undefined) return { kind: "null" };
  if (typeof node.value === "string") return { kind: "string", value: node.value };
  if (typeof node.value === "boolean") return { kind: "boolean", value: node.value };
  return { kind: "number", text: node.source ?? String(node.value) };
}

/** The tree of a YAML text; null when it is none, or no more than a line of text. */
export function yamlTree(text: string): JsonNode | null {
  const documents = parseAllDocuments(text, { logLevel: "error", prettyErrors: false });
  const document = Array.isArray(documents) && documents.length === 1 ? documents[0] : null;
  if (!document || document.errors.length > 0) return null;
  try {
    const node = nodeOf(document.contents);
    return node.kind === "object" || node.kind === "array" ? node : null;
  } catch (error) {
    if (error instanceof NoTree) return null;
    throw error;
  }
}
