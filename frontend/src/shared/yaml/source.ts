/** A YAML text with the places of its nodes: where lines, pairs and items begin and end. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Layout, Style } from "./render";

export type Unreadable =
  | { why: "syntax"; line: number; message: string }
  | { why: "alias"; line: number }
  | { why: "tag"; line: number }
  | { why: "empty" }
  | { why: "shape"; path: string; line: number };

export class Source {
  readonly doc: Document.Parsed;
  readonly eol: string;
  private readonly lines = new LineCounter();

  constructor(readonly text: string) {
    this.doc = parseDocument(text, {
      keepSourceTokens: true,
      lineCounter: this.lines,
      prettyErrors: false,
      uniqueKeys: true,
      merge: false,
      strict: true,
      logLevel: "error",
    }) as Document.Parsed;
    this.eol = /\r\n/.test(text) ? "\r\n" : "\n";
  }

  lineOf(offset: number): number {
    return this.lines.linePos(Math.min(offset, this.text.length)).line || 1;
  }

  /** Why nothing can be edited here by places, or null. */
  trouble(): Unreadable | null {
    const error = this.doc.errors[0];
    if (error) return { why: "syntax", line: this.lineOf(error.pos[0]), message: error.message };
    let found: Unreadable | null = null;
    visit(this.doc, {
      Node: (_, node) => {
        const at = this.lineOf(node.range?.[0] ?? 0);
        if (isAlias(node) || (node as Scalar).anchor) found = { why: "alias", line: at };
        else if ((node as Scalar).tag && (node as { srcToken?: unknown }).srcToken && hasTagToken(this.text, node))
          found = { why: "tag", line: at };
        return found ? visit.BREAK : undefined;
      },
      Pair: (_, pair) => {
        if (!isScalar(pair.key) || this.isExplicit(pair as Pair<Scalar, Node>))
          found = { why: "shape", path: "?", line: 1 };
        return found ? visit.BREAK : undefined;
      },
    });
    if (!found && (this.doc.contents === null || !isMap(this.doc.contents))) return { why: "empty" };
    return found;
  }

  private isExplicit(pair: Pair<Scalar, Node>): boolean {
    const start = (pair as { srcToken?: { start?: { type: string }[] } }).srcToken?.start;
    return Boolean(start?.some((token) => token.type === "explicit-key-ind"));
  }

  lineStart(at: number): number {
    return this.text.lastIndexOf("\n", at - 1) + 1;
  }

  /** The offset after the line that holds `at`. */
  afterLine(at: number): number {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end + 1;
  }

  column(at: number): number {
    return at - this.lineStart(at);
  }

  lineAt(start: number): string {
    return this.text.slice(start, this.afterLine(start));
  }

  isBlank(start: number): boolean {
    return start < this.text.length && this.lineAt(start).trim() === "";
  }

  /** The indentation of a line that is a comment only, else null. */
  commentIndent(start: number): number | null {
    const found = /^( *)#/.exec(this.lineAt(start));
    return found ? found[1]!.length : null;
  }

  colonOf(pair: Pair<unknown, unknown>): number {
    return this.text.indexOf(":", (pair.key as Scalar).range![1]);
  }

  isEmptyScalar(node: unknown): boolean {
    return node === null || node === undefined || (isScalar(node) && (!node.range || node.range[0] === node.range[1]));
  }

  /** Where a scalar's own text ends; blank lines below a block that doesn't keep them are not its own. */
  scalarEnd(node: Scalar): number {
    let end = node.range![1];
    if (!isBlock(node)) return end;
    const header = /^[|>][-+0-9]*/.exec(this.text.slice(node.range![0]))?.[0] ?? "";
    if (header.includes("+")) return end;
    while (end > node.range![0]) {
      const start = this.lineStart(end - 1);
      if (this.text.slice(start, end).trim() !== "" || start <= node.range![0]) break;
      end = start;
    }
    return end;
  }

  nodeEnd(node: Node): number {
    if (isScalar(node)) return this.scalarEnd(node);
    if (isCollection(node) && node.flow) return node.range![1];
    if (isMap(node)) return node.items.length ? this.pairEnd(node.items.at(-1)!) : node.range![1];
    if (isSeq(node)) {
      const last = node.items.at(-1) as Node | undefined;
      if (!last) return node.range![1];
      return this.isEmptyScalar(last) ? this.dashOf(node, node.items.length - 1) + 1 : this.nodeEnd(last);
    }
    return node.range![1];
  }

  pairEnd(pair: Pair<unknown, unknown>): number {
    return this.isEmptyScalar(pair.value) ? this.colonOf(pair) + 1 : this.nodeEnd(pair.value as Node);
  }

  /** After the lines of something that ends at `end`, trailing comment and comments deeper than `column` with it. */
  afterLines(end: number, column: number): number {
    let at = end > 0 && this.text[end - 1] === "\n" ? end : this.afterLine(end);
    for (;;) {
      const indent = at < this.text.length ? this.commentIndent(at) : null;
      if (indent === null || indent <= column) return at;
      at = this.afterLine(at);
    }
  }

  dashOf(seq: YAMLSeq, index: number): number {
    const token = seq.srcToken;
    if (token?.type !== "block-seq") return -1;
    const dash = token.items[index]?.start.find((part) => part.type === "seq-item-ind");
    return dash?.offset ?? -1;
  }

  /** The beginning of an item's lines: its own comments, then its dash. -1 when the dash shares its line. */
  itemStart(seq: YAMLSeq, index: number, floor: number): number {
    const dash = this.dashOf(seq, index);
    const column = this.column(dash);
    let at = this.lineStart(dash);
    if (dash < 0 || this.text.slice(at, dash).trim() !== "") return -1;
    while (at > floor) {
      const above = this.lineStart(at - 1);
      const indent = this.commentIndent(above);
      if (above < floor || indent === null || indent > column) break;
      at = above;
    }
    return at;
  }

  /** The pieces of a block list: one a item, each `[start, end of its lines, start of the next]`. */
  pieces(seq: YAMLSeq, floor: number): { start: number; end: number; next: number }[] | null {
    const column = this.column(this.dashOf(seq, 0));
    const ends = seq.items.map((item, i) => {
      const end = this.isEmptyScalar(item) ? this.dashOf(seq, i) + 1 : this.nodeEnd(item as Node);
      return this.afterLines(end, column);
    });
    const starts = seq.items.map((_, i) => this.itemStart(seq, i, i === 0 ? floor : ends[i - 1]!));
    if (starts.includes(-1)) return null;
    return starts.map((start, i) => {
      const next = starts[i + 1] ?? ends[i]!;
      let end = next;
      while (end > ends[i]! && this.text.slice(this.lineStart(end - 1), end).trim() === "")
        end = this.lineStart(end - 1);
      return { start, end, next };
    });
  }

  /** How this document indents. */
  layout(): Layout {
    const root = this.doc.contents;
    let dash = 2;
    if (isMap(root)) {
      for (const pair of root.items) {
        if (!isSeq(pair.value) || pair.value.flow || pair.value.items.length === 0) continue;
        dash = this.column(this.dashOf(pair.value, 0)) === 0 ? 0 : 2;
        break;
      }
    }
    return { step: 2, dash };
  }
}

const KEPT = 6;
const kept = new Map<string, Source>();

/** The source of a text; the last few are kept, since each edit looks at the same texts several times. */
export function sourceOf(text: string): Source {
  const known = kept.get(text);
  if (known) return known;
  const source = new Source(text);
  kept.set(text, source);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return source;
}

function hasTagToken(text: string, node: Node): boolean {
  const before = text.slice(text.lastIndexOf("\n", node.range![0] - 1) + 1, node.range![0]);
  return /(?:^|\s)!\S*\s*$/.test(before) || text[node.range![0]] === "!";
}

export function isBlock(node: Scalar): boolean {
  return node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;
}

export function styleOf(node: Scalar): Style {
  if (isBlock(node)) return "block";
  if (node.type === Scalar.QUOTE_SINGLE) return "single";
  if (node.type === Scalar.QUOTE_DOUBLE) return "double";
  return "plain";
}

export type { YAMLMap, YAMLSeq };
