/** Paths to the values of an answer, as a tool's `extract` takes them. */
import type { JsonNode } from "./exact";

/** How many values are looked at: an answer may have a hundred thousand. */
const MOST = 2000;
const PLAIN_KEY = /^[^.[\]"/]+$/;

/** A path one step further: to a key, or to an item of a list. */
export function pathTo(base: string, step: string | number): string {
  if (typeof step === "number") return `${base}[${step}]`;
  if (!PLAIN_KEY.test(step)) return `${base}[${JSON.stringify(step)}]`;
  return base === "" ? step : `${base}.${step}`;
}

/** The paths of an answer's values, the outer ones first. */
function pathsIn(root: JsonNode): string[] {
  const found: string[] = [];
  let level: [string, JsonNode][] = [["", root]];
  while (level.length > 0 && found.length < MOST) {
    const next: [string, JsonNode][] = [];
    for (const [path, node] of level) {
      if (node.kind === "object") for (const [key, value] of node.entries) next.push([pathTo(path, key), value]);
      // The first item stands for all.
      if (node.kind === "array" && node.items[0]) next.push([pathTo(path, 0), node.items[0]]);
    }
    found.push(...next.map(([path]) => path));
    level = next;
  }
  return found;
}

/** What somebody may have meant who wrote a path that the answer doesn't have: paths that end with it. */
export function meantBy(path: string, root: JsonNode, most = 3): string[] {
  const wanted = path.trim().toLowerCase();
  if (wanted === "" || !/^[^[\]"/]+$/.test(wanted)) return [];
  const paths = pathsIn(root);
  if (paths.includes(path.trim())) return [];
  const ends = (one: string) => one.toLowerCase() === wanted || one.toLowerCase().endsWith(`.${wanted}`);
  return paths.filter(ends).slice(0, most);
}
