/** Lists of objects in an answer, as tables. */
import type { JsonNode } from "./exact";
import { pathTo } from "./paths";

/** How many values are looked at in search of lists. */
const MOST = 5000;
const MOST_LISTS = 50;
/** Rows that columns are gathered from. */
const ROWS_READ = 500;
export const MOST_COLUMNS = 40;

type ArrayNode = Extract<JsonNode, { kind: "array" }>;

export interface ObjectList {
  path: string;
  node: ArrayNode;
}

/** Whether a value is a list with objects in it, and nothing but objects and nulls. */
export function isObjectList(node: JsonNode): node is ArrayNode {
  return (
    node.kind === "array" &&
    node.items.some(({ kind }) => kind === "object") &&
    node.items.every(({ kind }) => kind === "object" || kind === "null")
  );
}

/** The lists of objects of an answer, the outer ones first. Of a list's items the first one stands for all. */
export function objectLists(root: JsonNode): ObjectList[] {
  const found: ObjectList[] = [];
  let level: [string, JsonNode][] = [["", root]];
  let seen = 0;
  while (level.length > 0 && found.length < MOST_LISTS && seen < MOST) {
    const next: [string, JsonNode][] = [];
    for (const [path, node] of level) {
      seen += 1;
      if (isObjectList(node)) found.push({ path, node });
      if (node.kind === "object") for (const [key, value] of node.entries) next.push([pathTo(path, key), value]);
      if (node.kind === "array" && node.items[0]) next.push([pathTo(path, 0), node.items[0]]);
    }
    level = next;
  }
  return found.slice(0, MOST_LISTS);
}

/** The fields of a list's objects, in the order in which they turn up, and how many there are beyond the most shown. */
export function columnsOf({ items }: ArrayNode): { names: string[]; more: number } {
  const names = new Set<string>();
  for (const item of items.slice(0, ROWS_READ))
    if (item.kind === "object") for (const [key] of item.entries) names.add(key);
  return { names: [...names].slice(0, MOST_COLUMNS), more: Math.max(0, names.size - MOST_COLUMNS) };
}

/** A field of an object; the last one where a key is there twice, as the engine has it. */
export function fieldOf(node: JsonNode, name: string): JsonNode | undefined {
  return node.kind === "object" ? node.entries.findLast(([key]) => key === name)?.[1] : undefined;
}
