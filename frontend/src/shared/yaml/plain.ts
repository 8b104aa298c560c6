/** What a YAML document means, without how it is written: the yardstick for edits. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from "yaml";

export type Plain =
  | { map: [string, Plain][] }
  | { seq: Plain[] }
  | { text: string }
  | { number: string }
  | { bool: boolean }
  | { nothing: true };

/** A scalar that is written as it stands, such as a number of any size. */
export class Raw {
  constructor(readonly source: string) {}
}

/** A list or map that is written on one line. */
export class Flow {
  constructor(readonly value: Value) {}
}

/** What an edit may put into a document. */
export type Value = string | boolean | Raw | Flow | Value[] | { [key: string]: Value };

/** The value that means the same; comments and quotes are not in it. */
export function valueOf(plain: Plain): Value {
  if ("text" in plain) return plain.text;
  if ("number" in plain) return new Raw(plain.number);
  if ("bool" in plain) return plain.bool;
  if ("seq" in plain) return plain.seq.map(valueOf);
  if ("map" in plain) return Object.fromEntries(plain.map.map(([key, inner]) => [key, valueOf(inner)]));
  return new Raw("null");
}

export type Path = readonly (string | number)[];

export const NOTHING: Plain = { nothing: true };

function plainOfScalar(node: Scalar): Plain {
  const { value } = node;
  if (typeof value === "string") return { text: value };
  if (typeof value === "boolean") return { bool: value };
  if (value === null || value === undefined) return NOTHING;
  return { number: node.source ?? String(value) };
}

export function keyText(pair: Pair<unknown, unknown>): string {
  const { key } = pair;
  if (!isScalar(key)) return "";
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

export function plainOf(node: unknown): Plain {
  if (isMap(node)) return { map: node.items.map((pair) => [keyText(pair), plainOf(pair.value)]) };
  if (isSeq(node)) return { seq: node.items.map(plainOf) };
  if (isScalar(node)) return plainOfScalar(node);
  return NOTHING;
}

const MOST_NODES = 20_000;

/** What a document with aliases means, to be looked at; null when it is too much or goes in a circle. */
export function plainResolved(doc: Document): Plain | null {
  let left = MOST_NODES;
  const read = (node: unknown, depth: number): Plain => {
    left -= 1;
    if (left < 0 || depth > 100) throw new RangeError();
    if (isAlias(node)) return read(node.resolve(doc), depth + 1);
    if (isMap(node)) return { map: node.items.map((pair) => [keyText(pair), read(pair.value, depth + 1)]) };
    if (isSeq(node)) return { seq: node.items.map((item) => read(item, depth + 1)) };
    return isScalar(node) ? plainOfScalar(node) : NOTHING;
  };
  try {
    return read(doc.contents, 0);
  } catch {
    return null;
  }
}

export function plainOfValue(value: Value): Plain {
  if (typeof value === "string") return { text: value };
  if (typeof value === "boolean") return { bool: value };
  if (value instanceof Flow) return plainOfValue(value.value);
  if (value instanceof Raw && value.source === "null") return NOTHING;
  if (value instanceof Raw)
    return /^(true|false)$/.test(value.source) ? { bool: value.source === "true" } : { number: value.source };
  if (Array.isArray(value)) return { seq: value.map(plainOfValue) };
  return { map: Object.entries(value).map(([key, inner]) => [key, plainOfValue(inner)]) };
}

export function samePlain(left: Plain, right: Plain): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The node at a path, or undefined. */
export function nodeAt(root: unknown, path: Path): Node | undefined {
  let node: unknown = root;
  for (const part of path) {
    if (isMap(node)) node = node.items.find((pair) => keyText(pair) === part)?.value;
    else if (isSeq(node) && typeof part === "number") node = node.items[part];
    else return undefined;
  }
  return (node ?? undefined) as Node | undefined;
}

/** Gives a changed copy: `change` gets the plain value at `path` (NOTHING when absent) and gives the new one, or null to remove it. */
export function plainWith(root: Plain, path: Path, change: (old: Plain) => Plain | null, at?: number): Plain {
  const [head, ...rest] = path;
  if (head === undefined) return change(root) ?? NOTHING;
  if ("seq" in root && typeof head === "number") {
    const seq = [...root.seq];
    const next = rest.length ? plainWith(seq[head] ?? NOTHING, rest, change, at) : change(seq[head] ?? NOTHING);
    if (next === null) seq.splice(head, 1);
    else seq[head] = next;
    return { seq };
  }
  const map: [string, Plain][] = "map" in root ? [...root.map] : [];
  const index = map.findIndex(([key]) => key === head);
  const old = map[index]?.[1] ?? NOTHING;
  const next = rest.length ? plainWith(old, rest, change, at) : change(old);
  if (next === null) {
    if (index >= 0) map.splice(index, 1);
  } else if (index >= 0) map[index] = [String(head), next];
  else map.splice(at ?? map.length, 0, [String(head), next]);
  return { map };
}
