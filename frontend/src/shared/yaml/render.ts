/** Writes values as YAML: plain only what is plainly a word, quoted otherwise, block scalars for lines. */
import { Flow, Raw, type Value } from "./plain";

/** Words that some reader of YAML takes for something else than text. */
const NO_TEXT = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i;
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const UNPRINTABLE_ALL = new RegExp(UNPRINTABLE.source, "g");

/** Whether a text can stand without quotes. */
export function isPlainSafe(text: string, inFlow: boolean): boolean {
  if (!/^[\p{L}$/_]/u.test(text) || /\s$/.test(text) || /[\n\t]/.test(text) || UNPRINTABLE.test(text)) return false;
  if (/:(?:\s|$)|\s#/.test(text) || NO_TEXT.test(text)) return false;
  if (inFlow && /[[\]{},:#?&*!|>%@`"']/.test(text)) return false;
  return true;
}

export function quoteDouble(text: string): string {
  const escaped = JSON.stringify(text).replace(
    UNPRINTABLE_ALL,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped;
}

function canQuoteSingle(text: string): boolean {
  return !/[\n\t]/.test(text) && !UNPRINTABLE.test(text);
}

/** A block scalar's two parts: what stands on the key's line, and the lines below. */
export interface Block {
  header: string;
  body: string[];
}

/** A literal block for a text, or null when none can stand for it. */
export function literal(text: string, indent: number, parentIndent: number): Block | null {
  if (!/[^\n\s]/.test(text) || UNPRINTABLE.test(text)) return null;
  const chomp = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
  const step = /^[\n ]/.test(text) ? String(indent - parentIndent) : "";
  const lines = (chomp === "-" ? text : text.slice(0, -1)).split("\n");
  const pad = " ".repeat(indent);
  return { header: `|${step}${chomp}`, body: lines.map((line) => (line === "" ? "" : pad + line)) };
}

export type Style = "plain" | "single" | "double" | "block";

/** The ways to write a text, the most wanted first. The last always works. */
export function inlineForms(text: string, style: Style, inFlow: boolean): string[] {
  const forms: string[] = [];
  if (style === "plain" || style === "block") {
    if (isPlainSafe(text, inFlow)) forms.push(text);
  }
  // What is full of double quotes, such as JSON, can be read without a backslash before each of them.
  const readable = style !== "double" && /["\\]/.test(text) && !text.includes("'");
  if ((style === "single" || readable) && canQuoteSingle(text)) forms.push(`'${text.replaceAll("'", "''")}'`);
  forms.push(quoteDouble(text));
  return forms;
}

function scalarSource(value: string | boolean | Raw, inFlow: boolean): string {
  if (value instanceof Raw) return value.source;
  if (typeof value === "boolean") return String(value);
  return inlineForms(value, "plain", inFlow)[0]!;
}

function keySource(key: string, inFlow: boolean): string {
  return isPlainSafe(key, inFlow) || /^[xy]$/.test(key) ? key : quoteDouble(key);
}

export interface Layout {
  /** How far a nested map stands in from its parent. */
  step: number;
  /** How far a list's dash stands in from its key. */
  dash: number;
}

/** The lines of `key: value` at a column, without the first line's indentation. */
export function pairLines(key: string, value: Value, column: number, layout: Layout): string[] {
  const name = keySource(key, false);
  if (typeof value === "string") {
    const block = value.includes("\n") ? literal(value, column + layout.step, column) : null;
    if (block) return [`${name}: ${block.header}`, ...block.body];
    return [`${name}: ${scalarSource(value, false)}`];
  }
  if (value instanceof Flow) return [`${name}: ${flowSource(value)}`];
  if (typeof value === "boolean" || value instanceof Raw) return [`${name}: ${scalarSource(value, false)}`];
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${name}: []`];
    return [
      `${name}:`,
      ...value.flatMap((item) => indented(itemLines(item, column + layout.dash, layout), column + layout.dash)),
    ];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${name}: {}`];
  return [`${name}:`, ...mapLines(entries, column + layout.step, layout)];
}

/** The first line gets its column; the others have theirs. */
function indented(lines: string[], column: number): string[] {
  return lines.map((line, index) => (index === 0 ? " ".repeat(column) + line : line));
}

export function mapLines(entries: [string, Value][], column: number, layout: Layout): string[] {
  return entries.flatMap(([key, inner]) => indented(pairLines(key, inner, column, layout), column));
}

/** The lines of a list's item with its dash at `column`, without the first line's indentation. */
export function itemLines(value: Value, column: number, layout: Layout): string[] {
  if (
    typeof value === "object" &&
    !(value instanceof Raw) &&
    !(value instanceof Flow) &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0
  ) {
    const lines = mapLines(Object.entries(value), column + 2, layout);
    return [`- ${lines[0]!.slice(column + 2)}`, ...lines.slice(1)];
  }
  if (typeof value === "string" && value.includes("\n")) {
    const block = literal(value, column + 2, column);
    if (block) return [`- ${block.header}`, ...block.body];
  }
  return [`- ${flowSource(value)}`];
}

/** A value inside `[…]` or `{…}`. */
export function flowSource(value: Value): string {
  if (value instanceof Flow) return flowSource(value.value);
  if (typeof value === "string" || typeof value === "boolean" || value instanceof Raw) return scalarSource(value, true);
  if (Array.isArray(value)) return `[${value.map(flowSource).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, inner]) => flowPair(key, inner))
    .join(", ")}}`;
}

export function flowPair(key: string, value: Value): string {
  return `${keySource(key, true)}: ${flowSource(value)}`;
}
