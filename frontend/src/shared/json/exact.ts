/**
 * JSON without loss: numbers keep the text they were sent as, keys keep their order and may repeat.
 *
 * No number of an answer ever becomes a JavaScript number on its way to the screen.
 */
export type JsonNode =
  | { kind: "object"; entries: [string, JsonNode][] }
  | { kind: "array"; items: JsonNode[] }
  | { kind: "string"; value: string }
  | { kind: "number"; text: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "null" };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const MAX_DEPTH = 2000;

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  document(): JsonNode {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1;
    const node = this.value(0);
    this.space();
    if (this.at !== this.text.length) throw this.error();
    return node;
  }

  private error(): SyntaxError {
    return new SyntaxError(`Not JSON at ${this.at}`);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private space(): void {
    this.match(SPACE);
  }

  private take(char: string): boolean {
    this.space();
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  private word(word: string, node: JsonNode): JsonNode {
    if (!this.text.startsWith(word, this.at)) throw this.error();
    this.at += word.length;
    return node;
  }

  private value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.error();
    this.space();
    switch (this.text[this.at]) {
      case "{":
        return this.object(depth);
      case "[":
        return this.array(depth);
      case '"':
        return { kind: "string", value: this.string() };
      case "t":
        return this.word("true", { kind: "boolean", value: true });
      case "f":
        return this.word("false", { kind: "boolean", value: false });
      case "n":
        return this.word("null", { kind: "null" });
      default: {
        const text = this.match(NUMBER);
        if (!text) throw this.error();
        return { kind: "number", text };
      }
    }
  }

  private object(depth: number): JsonNode {
    this.at += 1;
    const entries: [string, JsonNode][] = [];
    if (this.take("}")) return { kind: "object", entries };
    do {
      this.space();
      const key = this.string();
      if (!this.take(":")) throw this.error();
      entries.push([key, this.value(depth + 1)]);
    } while (this.take(","));
    if (!this.take("}")) throw this.error();
    return { kind: "object", entries };
  }

  private array(depth: number): JsonNode {
    this.at += 1;
    const items: JsonNode[] = [];
    if (this.take("]")) return { kind: "array", items };
    do items.push(this.value(depth + 1));
    while (this.take(","));
    if (!this.take("]")) throw this.error();
    return { kind: "array", items };
  }

  private string(): string {
    if (this.text[this.at] !== '"') throw this.error();
    const start = this.at;
    this.at += 1;
    for (;;) {
      this.match(PLAIN);
      const char = this.text[this.at];
      if (char === '"') break;
      if (char !== "\\") throw this.error();
      this.at += 2;
    }
    this.at += 1;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }
}

/** Reads JSON text; throws SyntaxError when it is none. */
export function parseJson(text: string): JsonNode {
  return new Reader(text).document();
}

/** Reads JSON text, or gives null when it is none. */
export function tryParseJson(text: string): JsonNode | null {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** A number that JavaScript would change; stands for itself by its text. */
export class ExactNumber {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

/** Plain values of a node; numbers that JavaScript can't hold become {@link ExactNumber}. */
export function toPlain(node: JsonNode): unknown {
  switch (node.kind) {
    case "object":
      return Object.fromEntries(node.entries.map(([key, value]) => [key, toPlain(value)]));
    case "array":
      return node.items.map(toPlain);
    case "number":
      return String(Number(node.text)) === node.text ? Number(node.text) : new ExactNumber(node.text);
    case "null":
      return null;
    default:
      return node.value;
  }
}

/** Reads JSON into plain values without changing a number. */
export function parseExact(text: string): unknown {
  return toPlain(parseJson(text));
}

/** The node of a plain value (as {@link parseExact} gives). */
export function fromPlain(value: unknown): JsonNode {
  if (value === null || value === undefined) return { kind: "null" };
  if (value instanceof ExactNumber) return { kind: "number", text: value.text };
  if (Array.isArray(value)) return { kind: "array", items: value.map(fromPlain) };
  switch (typeof value) {
    case "string":
      return { kind: "string", value };
    case "boolean":
      return { kind: "boolean", value };
    case "number":
    case "bigint":
      return { kind: "number", text: String(value) };
    default:
      return { kind: "object", entries: Object.entries(value as object).map(([k, v]) => [k, fromPlain(v)]) };
  }
}

/** Compact JSON text of a node, numbers as they came. */
export function writeJson(node: JsonNode, indent = ""): string {
  const open = (parts: string[], [left, right]: [string, string]) =>
    parts.length === 0
      ? left + right
      : indent
        ? `${left}\n${parts.map((part) => indent + part.replaceAll("\n", `\n${indent}`)).join(",\n")}\n${right}`
        : left + parts.join(",") + right;
  switch (node.kind) {
    case "object":
      return open(
        node.entries.map(([k, v]) => `${JSON.stringify(k)}:${indent && " "}${writeJson(v, indent)}`),
        ["{", "}"],
      );
    case "array":
      return open(
        node.items.map((item) => writeJson(item, indent)),
        ["[", "]"],
      );
    case "number":
      return node.text;
    case "string":
      return JSON.stringify(node.value);
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
  }
}
