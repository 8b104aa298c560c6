/** Names of steps and variables, and what says them elsewhere in a document. */
import type { Path, Plain } from "@/shared/yaml/plain";
import { own } from "@/shared/own";
import { renamedExpression, renamedSource, type Renaming } from "./expressions";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Characters that a step's name may have. */
export const LONGEST_NAME = 64;
/** As the server takes them: identifiers, with letters of any script. */
export const NODE_NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]{0,63}$/u;
const VARIABLE_NAME = /^[\p{L}\p{Nl}][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]{0,63}$/u;
/** Names that the state keeps for itself, and words of Python, in which states are made. */
const RESERVED =
  /^(?:messages|keys|get|model_.*|False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/u;

export const isVariableName = (name: string): boolean => VARIABLE_NAME.test(name) && !RESERVED.test(name);

/** A name as it is compared: two spellings of one name are one. */
export const normalName = (typed: string): string => typed.trim().normalize("NFC");

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

/** `variables/step1/total` as a variable's name: `total`. */
export function variableFrom(path: string): string {
  const name = (path.split("/").at(-1) ?? "").replace(/[^\p{L}\p{N}_]+/gu, "_");
  return isVariableName(name) ? name : "value";
}

/** Lets `${kind:X/…}` follow a new name. */
export function renameReferences(text: string, kinds: readonly string[], from: string, to: string): string {
  const pattern = new RegExp(`\\$\\$\\{|\\$\\{(\\s*(?:${kinds.join("|")})\\s*:\\s*)${escaped(from)}(?=\\s*[/}])`, "gu");
  return text.replace(pattern, (whole, head?: string) => (head === undefined ? whole : `\${${head}${to}`));
}

/** Settings that hold expressions, by kind of step. */
const EXPRESSIONS: Record<string, readonly string[]> = { Convert: ["values"] };

/** Every text of a document, with its path. */
export function* textsIn(plain: Plain, path: Path): Generator<{ path: Path; text: string }> {
  if ("text" in plain) yield { path, text: plain.text };
  else if ("seq" in plain) for (const [index, item] of plain.seq.entries()) yield* textsIn(item, [...path, index]);
  else if ("map" in plain) for (const [key, item] of plain.map) yield* textsIn(item, [...path, key]);
}

/** How a text changes, and how the same is done to the way it is written. */
export interface Rewrite {
  text: (text: string) => string;
  source: (source: string) => string;
}

const both = (change: (text: string) => string): Rewrite => ({ text: change, source: change });
const NOT_CHANGED = both((text) => text);
const inExpression = (renaming: Renaming): Rewrite => ({
  text: (text) => renamedExpression(text, renaming),
  source: (source) => renamedSource(source, renaming),
});
/** A text that is the name; it is written as texts are. */
const wholeName = (from: string, to: string): Rewrite => ({
  text: (text) => (text === from ? to : text),
  source: (source) => source.replace(from, () => to),
});

/** How a text at a path changes when a step gets another name. */
export function stepRewrite(path: Path, call: string | undefined, from: string, to: string): Rewrite {
  const [top, , field, setting] = path;
  const renaming = { from, to, roots: ["steps"] };
  if (top === "entry") return wholeName(from, to);
  if (top === "edges") {
    if (field === "source" || field === "target" || field === "possible_targets") return wholeName(from, to);
    if (field === "router") return inExpression({ ...renaming, targets: true });
    return field === "filter" ? inExpression(renaming) : NOT_CHANGED;
  }
  if (top !== "nodes" || field !== "settings") return NOT_CHANGED;
  if (own(EXPRESSIONS, call ?? "")?.includes(String(setting))) return inExpression(renaming);
  return both((text) => renameReferences(text, ["node"], from, to));
}

/** How a text at a path changes when a state variable gets another name. */
export function variableRewrite(path: Path, call: string | undefined, from: string, to: string): Rewrite {
  const [top, , field, setting] = path;
  const renaming = { from, to, roots: ["state", "input"] };
  if (top === "inputs") return wholeName(from, to);
  if (top === "edges") {
    if (field === "router") return inExpression(renaming);
    return field === "filter" ? inExpression({ ...renaming, keys: true }) : NOT_CHANGED;
  }
  if (top !== "nodes" || field !== "settings") return NOT_CHANGED;
  if (own(EXPRESSIONS, call ?? "")?.includes(String(setting))) return inExpression(renaming);
  return both((text) => renameReferences(text, ["state", "input"], from, to));
}
