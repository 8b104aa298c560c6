/** Two values as one tree: which branches are the same, which differ, which only one side has. */
import { fromPlain, type JsonNode } from "@/shared/json/exact";
import { isCut } from "../fold";

export type Mark = "same" | "changed" | "left" | "right";

export interface DiffNode {
  name: string | null;
  mark: Mark;
  left: JsonNode | null;
  right: JsonNode | null;
  /** Made when somebody looks; empty for what has no parts. */
  children: () => DiffNode[];
}

/** Keys of messages that are made anew in every run and say nothing. */
const MADE_ANEW = new Set(["msg_id"]);

/** A value as it is compared: without ids that every run makes anew; what came cut off tells its size and its digest. */
export function comparable(value: unknown): JsonNode {
  if (isCut(value)) {
    const { size, head, digest } = value;
    return { kind: "string", value: `${head}… [${[String(size), digest?.slice(0, 12)].filter(Boolean).join(" · ")}]` };
  }
  if (Array.isArray(value)) return { kind: "array", items: value.map(comparable) };
  const node = typeof value === "object" && value !== null ? null : fromPlain(value);
  if (node) return node;
  const plain = fromPlain(value);
  if (plain.kind !== "object") return plain;
  const entries = Object.entries(value as object).filter(([key]) => !MADE_ANEW.has(key));
  return { kind: "object", entries: entries.map(([key, item]) => [key, comparable(item)]) };
}

/** Whether two values are the same; the order of keys does not matter. */
export function equal(a: JsonNode, b: JsonNode): boolean {
  if (a.kind === "object" && b.kind === "object") {
    if (a.entries.length !== b.entries.length) return false;
    const others = new Map(b.entries);
    return a.entries.every(([key, item]) => {
      const other = others.get(key);
      return other !== undefined && equal(item, other);
    });
  }
  if (a.kind === "array" && b.kind === "array")
    return a.items.length === b.items.length && a.items.every((item, index) => equal(item, b.items[index]!));
  if (a.kind === "number" && b.kind === "number") return a.text === b.text || sameNumber(a.text, b.text);
  if (a.kind === "null") return b.kind === "null";
  return "value" in a && "value" in b && a.kind === b.kind && a.value === b.value;
}

/** `1` and `1.0` are the same number; whole numbers too big for a double are what their digits say. */
function sameNumber(a: string, b: string): boolean {
  return Number(a) === Number(b) && Math.abs(Number(a)) <= Number.MAX_SAFE_INTEGER;
}

const isBranch = (node: JsonNode | null): boolean =>
  (node?.kind === "object" && node.entries.length > 0) || (node?.kind === "array" && node.items.length > 0);

export function diffOf(left: JsonNode | null, right: JsonNode | null, name: string | null = null): DiffNode {
  const mark = !left ? "right" : !right ? "left" : equal(left, right) ? "same" : "changed";
  return { name, mark, left, right, children: () => partsOf(left, right) };
}

function partsOf(left: JsonNode | null, right: JsonNode | null): DiffNode[] {
  if (!isBranch(left) && !isBranch(right)) return [];
  if (left && right && left.kind !== right.kind) return [];
  const one = left ?? right!;
  if (one.kind === "array") return listParts(itemsOf(left), itemsOf(right));
  const [mine, theirs] = [new Map(entriesOf(left)), new Map(entriesOf(right))];
  return [...new Set([...mine.keys(), ...theirs.keys()])].map((key) =>
    diffOf(mine.get(key) ?? null, theirs.get(key) ?? null, key),
  );
}

const entriesOf = (node: JsonNode | null) => (node?.kind === "object" ? node.entries : []);
const itemsOf = (node: JsonNode | null) => (node?.kind === "array" ? node.items : []);

/** Items from the beginning and from the end stand beside each other; between them the longer list has more. */
function listParts(left: JsonNode[], right: JsonNode[]): DiffNode[] {
  const short = Math.min(left.length, right.length);
  let end = 0;
  let start = 0;
  while (start < short && equal(left[start]!, right[start]!)) start += 1;
  while (end < short - start && equal(left[left.length - 1 - end]!, right[right.length - 1 - end]!)) end += 1;
  const parts: DiffNode[] = [];
  for (let n = 0; n < start; n += 1) parts.push(diffOf(left[n]!, right[n]!, `[${n}]`));
  const middle = Math.max(left.length, right.length) - end;
  for (let n = start; n < middle; n += 1)
    parts.push(diffOf(n < left.length - end ? left[n]! : null, n < right.length - end ? right[n]! : null, `[${n}]`));
  for (let n = end; n > 0; n -= 1)
    parts.push(
      diffOf(left[left.length - n]!, right[right.length - n]!, `[${Math.max(left.length, right.length) - n}]`),
    );
  return parts;
}

/** What two texts share at both ends, and what differs between. */
export function textParts(a: string, b: string): { before: string; left: string; right: string; after: string } {
  const short = Math.min(a.length, b.length);
  let start = 0;
  let end = 0;
  while (start < short && a[start] === b[start]) start += 1;
  while (end < short - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return {
    before: a.slice(0, start),
    left: a.slice(start, a.length - end),
    right: b.slice(start, b.length - end),
    after: a.slice(a.length - end),
  };
}
