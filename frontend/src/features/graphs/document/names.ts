/** Names of steps, and what says them elsewhere in a document. */
import type { Path, Plain } from "@/shared/yaml/plain";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export const NODE_NAME = /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u;

/** A name that isn't taken: the wanted one, or with the next number. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted) && wanted !== "end" && wanted !== "start") return wanted;
  const base = wanted.replace(/_\d+$/, "");
  for (let n = 2; ; n += 1) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`;
}

/** `LookUp` as a step's name: `look_up`. */
export function nameFrom(call: string): string {
  const name = call
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, "_");
  return /^[\p{L}_]/u.test(name) ? name : "step";
}

/** Lets `${node:X/…}` follow a step's new name. */
export function renameReferences(text: string, from: string, to: string): string {
  const pattern = new RegExp(`\\$\\$\\{|\\$\\{(\\s*)node:(\\s*)${escaped(from)}(?=\\s*[/}])`, "gu");
  return text.replace(pattern, (whole, before?: string, between?: string) =>
    before === undefined ? whole : `\${${before}node:${between ?? ""}${to}`,
  );
}

/** Lets `steps.X` and, where an expression picks targets, `"X"` follow a step's new name. */
export function renameInExpression(text: string, from: string, to: string, targets: boolean): string {
  const name = escaped(from);
  const steps = new RegExp(`(?<![\\w.])(steps\\s*(?:\\.\\s*|\\[\\s*(?:\\\\)?["']))${name}(?![\\w])`, "gu");
  const renamed = text.replace(steps, (_, head: string) => head + to);
  if (!targets) return renamed;
  const literal = new RegExp(`(?<!\\[\\s*)(\\\\?["'])${name}\\1(?!\\s*\\])`, "gu");
  return renamed.replace(literal, (_, quote: string) => quote + to + quote);
}

/** Settings that hold expressions, by kind of step. */
const EXPRESSIONS: Record<string, readonly string[]> = { Convert: ["values"] };

export interface TextChange {
  path: Path;
  value: string;
  source: (source: string) => string;
}

/** Every text of a document, with its path. */
export function* textsIn(plain: Plain, path: Path): Generator<{ path: Path; text: string }> {
  if ("text" in plain) yield { path, text: plain.text };
  else if ("seq" in plain) for (const [index, item] of plain.seq.entries()) yield* textsIn(item, [...path, index]);
  else if ("map" in plain) for (const [key, item] of plain.map) yield* textsIn(item, [...path, key]);
}

/** How a text at a path changes when a step gets another name. */
export function renamer(path: Path, call: string | undefined, from: string, to: string): (text: string) => string {
  const [top, , field, setting] = path;
  const same = (text: string) => text;
  if (top === "entry") return (text) => (text === from ? to : text);
  if (top === "edges") {
    if (field === "source" || field === "target" || field === "possible_targets")
      return (text) => (text === from ? to : text);
    if (field === "router") return (text) => renameInExpression(text, from, to, true);
    return field === "filter" ? (text) => renameInExpression(text, from, to, false) : same;
  }
  if (top !== "nodes" || field !== "settings") return same;
  if (EXPRESSIONS[call ?? ""]?.includes(String(setting))) return (text) => renameInExpression(text, from, to, false);
  return (text) => renameReferences(text, from, to);
}
