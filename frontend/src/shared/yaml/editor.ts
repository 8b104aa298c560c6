/** Where an edit changes a YAML text: the splices that could do it. */
import { isMap, isScalar, isSeq, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { type Edit, moved } from "./expectation";
import { keyText, nodeAt, type Path, Raw, type Value } from "./plain";
import { flowPair, flowSource, inlineForms, itemLines, literal, mapLines, pairLines } from "./render";
import { isBlock, type Source, styleOf } from "./source";

export interface Splice {
  start: number;
  end: number;
  text: string;
}

export class Editor {
  private readonly root: YAMLMap;
  constructor(private readonly source: Source) {
    this.root = source.doc.contents as YAMLMap;
  }

  /** The splices that could do it, the best first. */
  candidates(edit: Edit): Splice[][] {
    switch (edit.op) {
      case "set":
        return this.set(edit.path, edit.value, edit.order ?? []);
      case "texts":
        return this.texts(edit.changes);
      case "add":
        return this.add(edit.path, edit.entries, edit.order ?? []);
      case "removeAll":
        return [this.removeAll(edit.paths)];
      case "remove":
        return this.remove(edit.path);
      case "insert":
        return this.insert(edit.path, edit.index, [edit.value]);
      case "extend":
        return this.insert(edit.path, this.sizeOf(edit.path), edit.values);
      case "move":
        return this.move(edit.path, edit.from, edit.to);
      case "rename":
        return this.rename(edit.path, edit.key);
    }
  }

  /** Where a new field goes among those that exist. */
  placeOf(path: Path, order: readonly string[]): number {
    const map = nodeAt(this.root, path.slice(0, -1));
    if (!isMap(map)) return 0;
    const rank = order.indexOf(String(path.at(-1)));
    if (rank < 0) return map.items.length;
    let place = 0;
    map.items.forEach((pair, index) => {
      const other = order.indexOf(keyText(pair));
      if (other >= 0 && other < rank) place = index + 1;
    });
    return place;
  }

  private pairAt(path: Path): { map: YAMLMap; pair: Pair<unknown, unknown>; index: number } | null {
    const map = nodeAt(this.root, path.slice(0, -1));
    if (!isMap(map)) return null;
    const index = map.items.findIndex((pair) => keyText(pair) === path.at(-1));
    return index < 0 ? null : { map, pair: map.items[index]!, index };
  }

  private inFlow(path: Path): boolean {
    for (let n = 0; n < path.length; n += 1) {
      const node = nodeAt(this.root, path.slice(0, n));
      if ((isMap(node) || isSeq(node)) && node.flow) return true;
    }
    return false;
  }

  /** The column of the lines among which a value's own block would stand. */
  private columnFor(path: Path): number {
    const parent = nodeAt(this.root, path.slice(0, -1));
    if (isMap(parent) && parent.items[0]) return this.source.column((parent.items[0].key as Scalar).range![0]);
    if (isSeq(parent)) return this.source.column(this.source.dashOf(parent, 0));
    return 0;
  }

  private lines(lines: string[]): string {
    return lines.join(this.source.eol);
  }

  private set(path: Path, value: Value, order: readonly string[]): Splice[][] {
    const parent = nodeAt(this.root, path.slice(0, -1));
    if (isSeq(parent)) {
      const item = parent.items[path.at(-1) as number];
      return isScalar(item) && !this.source.isEmptyScalar(item) ? this.scalar(path, item, value) : [];
    }
    const found = this.pairAt(path);
    if (!found) return this.newPair(path, value, order);
    const node = found.pair.value;
    if (isScalar(node) && !this.source.isEmptyScalar(node)) return this.scalar(path, node, value);
    if (this.source.isEmptyScalar(node)) return this.fillPair(found.pair, path, value);
    return [];
  }

  private fillPair(pair: Pair<unknown, unknown>, path: Path, value: Value): Splice[][] {
    const colon = this.source.colonOf(pair) + 1;
    if (this.inFlow(path)) return [[{ start: colon, end: colon, text: ` ${flowSource(value)}` }]];
    const lines = pairLines("k", value, this.columnFor(path), this.source.layout());
    const first: Splice = { start: colon, end: colon, text: lines[0]!.slice(2) };
    return [lines.length === 1 ? [first] : [first, this.below(colon, lines.slice(1))]];
  }

  /** Puts lines under the line of `at`. */
  private below(at: number, lines: string[]): Splice {
    const { text, eol } = this.source;
    const place = this.source.afterLine(at);
    const open = place > 0 && text[place - 1] !== "\n";
    return { start: place, end: place, text: open ? eol + this.lines(lines) : this.lines(lines) + eol };
  }

  private scalar(path: Path, node: Scalar, value: Value): Splice[][] {
    const { source } = this;
    const start = node.range![0];
    const end = source.scalarEnd(node);
    const flow = this.inFlow(path);
    const oneLine = (text: string): Splice[] => {
      if (!isBlock(node)) return [{ start, end, text }];
      const header = source.lineAt(start).replace(/\r?\n$/, "");
      const comment = header.slice(0, header.length).replace(/^[|>][-+0-9]*/, "");
      const closed = source.text[end - 1] === "\n";
      return [{ start, end, text: text + comment + (closed ? source.eol : "") }];
    };
    if (typeof value !== "string")
      return value instanceof Raw || typeof value === "boolean" ? [oneLine(flowSource(value))] : [];
    const style = node.value === "" ? "plain" : styleOf(node);
    const candidates = inlineForms(value, style, flow).map(oneLine);
    if (flow || (style !== "block" && !value.includes("\n")) || style === "double") return candidates;
    const block = this.block(path, node, value, start, end);
    return block ? [block, ...candidates] : candidates;
  }

  private block(path: Path, node: Scalar, value: string, start: number, end: number): Splice[] | null {
    const { source } = this;
    const parent = this.columnFor(path);
    const old = isBlock(node) ? /\n( *)\S/.exec(source.text.slice(start, end))?.[1]?.length : undefined;
    const block = literal(value, old !== undefined && old > parent ? old : parent + source.layout().step, parent);
    if (!block) return null;
    const body = this.lines(block.body);
    if (isBlock(node)) {
      const comment = /^[|>][-+0-9]*([^\r\n]*)/.exec(source.text.slice(start))![1]!;
      const closed = source.text[end - 1] === "\n" || value.endsWith("\n");
      return [{ start, end, text: block.header + comment + source.eol + body + (closed ? source.eol : "") }];
    }
    return [{ start, end, text: block.header }, this.below(end, block.body)];
  }

  private newPair(path: Path, value: Value, order: readonly string[]): Splice[][] {
    const { source } = this;
    const holder = path.slice(0, -1);
    const key = String(path.at(-1));
    const map = nodeAt(this.root, holder);
    if (!isMap(map) || map.items.length === 0) return this.firstPair(holder, key, value);
    const place = this.placeOf(path, order);
    const previous = map.items[place - 1];
    if (map.flow || this.inFlow(path)) {
      const text = flowPair(key, value);
      const at = previous ? source.pairEnd(previous) : (map.items[0]!.key as Scalar).range![0];
      return [[{ start: at, end: at, text: previous ? `, ${text}` : `${text}, ` }]];
    }
    const column = this.columnFor(path);
    const pad = " ".repeat(column);
    const lines = pairLines(key, value, column, source.layout());
    if (!previous) {
      const at = (map.items[0]!.key as Scalar).range![0];
      return [[{ start: at, end: at, text: this.lines(lines) + source.eol + pad }]];
    }
    return [[this.after(source.afterLines(source.pairEnd(previous), column), [pad + lines[0]!, ...lines.slice(1)])]];
  }

  /** Puts lines at a line's beginning (or the text's end). */
  private after(at: number, lines: string[]): Splice {
    const { text, eol } = this.source;
    const open = at > 0 && text[at - 1] !== "\n";
    return { start: at, end: at, text: open ? eol + this.lines(lines) : this.lines(lines) + eol };
  }

  private add(path: Path, entries: [string, Value][], order: readonly string[]): Splice[][] {
    const { source } = this;
    const map = nodeAt(this.root, path);
    if (!isMap(map) || map.items.length === 0) {
      const value = Object.fromEntries(entries);
      const found = this.pairAt(path);
      if (!found || source.isEmptyScalar(found.pair.value)) return this.set(path, value, order);
      if (this.inFlow(path)) {
        if (!isMap(map) || !map.flow) return [];
        const at = map.range![0] + 1;
        return [[{ start: at, end: at, text: entries.map(([key, inner]) => flowPair(key, inner)).join(", ") }]];
      }
      return this.emptied(found.pair, mapLines(entries, this.columnFor(path) + 2, source.layout()));
    }
    const last = source.pairEnd(map.items.at(-1)!);
    if (map.flow || this.inFlow(path)) {
      const text = entries.map(([key, value]) => `, ${flowPair(key, value)}`).join("");
      return [[{ start: last, end: last, text }]];
    }
    const column = source.column((map.items[0]!.key as Scalar).range![0]);
    return [[this.after(source.afterLines(last, column), mapLines(entries, column, source.layout()))]];
  }

  /** The first field of a map that is absent, empty or `{}`. */
  private firstPair(holder: Path, key: string, value: Value): Splice[][] {
    const found = this.pairAt(holder);
    if (!found) return this.set(holder, { [key]: value }, []);
    const node = found.pair.value;
    if (this.inFlow(holder)) return [];
    if (this.source.isEmptyScalar(node)) return this.fillPair(found.pair, holder, { [key]: value });
    return this.emptied(found.pair, mapLines([[key, value]], this.columnFor(holder) + 2, this.source.layout()));
  }

  /** Puts lines in the place of an empty `[]` or `{}`. */
  private emptied(pair: Pair<unknown, unknown>, lines: string[]): Splice[][] {
    const node = pair.value;
    if (!isMap(node) && !isSeq(node)) return [];
    const [start, end] = node.range!;
    if (!node.flow || !/^[[{]\s*[\]}]$/.test(this.source.text.slice(start, end))) return [];
    return [[{ start: this.source.colonOf(pair) + 1, end, text: "" }, this.below(end, lines)]];
  }

  private texts(changes: (Edit & { op: "texts" })["changes"]): Splice[][] {
    const ways = changes.map(({ path, value, source: rewrite }) => {
      const node = nodeAt(this.root, path);
      if (!isScalar(node) || this.source.isEmptyScalar(node)) return { kept: null, fresh: [] as Splice[][] };
      const [start, end] = node.range!;
      const kept = rewrite ? [{ start, end, text: rewrite(this.source.text.slice(start, end)) }] : null;
      return { kept, fresh: this.scalar(path, node, value) };
    });
    const fresh = ways.map(({ fresh: forms }) => forms[0]);
    const last = ways.map(({ fresh: forms }) => forms.at(-1));
    return [ways.map(({ kept }, i) => kept ?? fresh[i]), fresh, last]
      .filter((way): way is Splice[][] => way.every(Boolean))
      .map((way) => way.flat());
  }

  private rename(path: Path, key: string): Splice[][] {
    const found = this.pairAt(path);
    if (!found) return [];
    const node = found.pair.key as Scalar;
    return inlineForms(key, styleOf(node), this.inFlow(path)).map((text) => [
      { start: node.range![0], end: node.range![1], text },
    ]);
  }

  private remove(path: Path): Splice[][] {
    const parent = nodeAt(this.root, path.slice(0, -1));
    if (isSeq(parent)) return this.removeItem(parent, path);
    const found = this.pairAt(path);
    if (!found) return [];
    const { map, pair, index } = found;
    const { source } = this;
    const start = (pair.key as Scalar).range![0];
    const end = source.pairEnd(pair);
    const next = map.items[index + 1];
    const nextStart = next ? (next.key as Scalar).range![0] : end;
    if (map.flow) {
      const before = map.items[index - 1];
      return [
        [
          next
            ? { start, end: nextStart, text: "" }
            : { start: before ? source.pairEnd(before) : start, end, text: "" },
        ],
      ];
    }
    const lineStart = source.lineStart(start);
    const shares = source.text.slice(lineStart, start).trim() !== "";
    const lineEnd = end > 0 && source.text[end - 1] === "\n" ? end : source.afterLine(end);
    if (!shares) {
      const cut: Splice = { start: lineStart, end: lineEnd, text: "" };
      const holder = map.items.length === 1 ? this.pairAt(path.slice(0, -1)) : null;
      if (!holder) return [[cut]];
      const colon = source.colonOf(holder.pair) + 1;
      return [[cut], [{ start: colon, end: colon, text: " {}" }, cut]];
    }
    const gap = source.text.slice(end, nextStart);
    const pulled: Splice[] = [{ start, end: nextStart, text: "" }];
    const left: Splice[] = [{ start, end, text: source.text[end - 1] === "\n" ? source.eol : "" }];
    return next && gap.trim() === "" ? [pulled, left] : [left];
  }

  private removeItem(seq: YAMLSeq, path: Path): Splice[][] {
    const { source } = this;
    const index = path.at(-1) as number;
    if (seq.flow) {
      const [start, end] = (seq.items[index] as Scalar).range!;
      const next = seq.items[index + 1] as Scalar | undefined;
      const before = seq.items[index - 1] as Scalar | undefined;
      if (next) return [[{ start, end: next.range![0], text: "" }]];
      return [[{ start: before ? before.range![1] : start, end, text: "" }]];
    }
    const pair = this.pairAt(path.slice(0, -1));
    if (!pair) return [];
    const pieces = source.pieces(seq, source.afterLine(source.colonOf(pair.pair)));
    const piece = pieces?.[index];
    if (!piece) return [];
    const cut: Splice = { start: piece.start, end: piece.next, text: "" };
    if (seq.items.length > 1) return [[cut]];
    const colon = source.colonOf(pair.pair) + 1;
    return [[{ start: colon, end: colon, text: " []" }, cut]];
  }

  private sizeOf(path: Path): number {
    const node = nodeAt(this.root, path);
    return isSeq(node) || isMap(node) ? node.items.length : 0;
  }

  /** Takes several things out; what loses everything becomes an empty list or map. */
  private removeAll(paths: readonly Path[]): Splice[] {
    const groups = new Map<string, Path[]>();
    for (const path of paths) {
      const holder = JSON.stringify(path.slice(0, -1));
      groups.set(holder, [...(groups.get(holder) ?? []), path]);
    }
    return [...groups.values()].flatMap((group) => {
      const holder = group[0]!.slice(0, -1);
      const cuts = group.map((path) => this.remove(path));
      const pair = this.sizeOf(holder) === group.length ? this.pairAt(holder)?.pair : undefined;
      if (!pair || (group.length === 1 && cuts[0]!.length !== 2)) return cuts.flatMap(([cut]) => cut ?? []);
      const colon = this.source.colonOf(pair) + 1;
      const empty = isSeq(pair.value) ? " []" : " {}";
      return [{ start: colon, end: colon, text: empty }, ...cuts.flatMap(([cut]) => cut ?? [])];
    });
  }

  /** Puts items before the one at `index`, or behind the last. */
  private insert(path: Path, index: number, values: readonly Value[]): Splice[][] {
    const { source } = this;
    const seq = nodeAt(this.root, path);
    const found = this.pairAt(path);
    if (!found) return [];
    const layout = source.layout();
    const column = this.columnFor(path) + layout.dash;
    const fresh = (at: number) =>
      values.map((value) => itemLines(value, at, layout).map((line, i) => (i === 0 ? " ".repeat(at) + line : line)));
    if (!isSeq(seq)) return source.isEmptyScalar(found.pair.value) ? this.fillPair(found.pair, path, [...values]) : [];
    const text = seq.flow ? values.map(flowSource).join(", ") : "";
    if (seq.items.length === 0) {
      if (values.every((value) => typeof value === "string") || this.inFlow(path.slice(0, -1)))
        return [[{ start: seq.range![0] + 1, end: seq.range![1] - 1, text }]];
      return this.emptied(found.pair, fresh(column).flat());
    }
    if (seq.flow) {
      const next = seq.items[index] as Scalar | undefined;
      const at = next ? next.range![0] : (seq.items.at(-1) as Scalar).range![1];
      return [[{ start: at, end: at, text: next ? `${text}, ` : `, ${text}` }]];
    }
    const pieces = source.pieces(seq, source.afterLine(source.colonOf(found.pair)));
    if (!pieces) return [];
    const items = fresh(source.column(source.dashOf(seq, 0)));
    const airy = pieces.length > 1 && pieces.slice(0, -1).every((piece) => piece.next > piece.end);
    const piece = pieces[index];
    const apart = (item: string[]) => (piece ? [...item, ""] : ["", ...item]);
    const lines = items.flatMap((item) => (airy ? apart(item) : item));
    if (piece) return [[this.after(piece.start, lines)]];
    const { end } = pieces.at(-1)!;
    return [[this.after(end, lines)], [this.after(end, items.flat())]];
  }

  private move(path: Path, from: number, to: number): Splice[][] {
    const { source } = this;
    const { text, eol } = source;
    const seq = nodeAt(this.root, path);
    const found = this.pairAt(path);
    if (!isSeq(seq) || !found) return [];
    if (seq.flow) {
      const ranges = seq.items.map((item) => (item as Scalar).range!);
      const order = moved(ranges, from, to);
      return [ranges.map(([start, end], i) => ({ start, end, text: text.slice(order[i]![0], order[i]![1]) }))];
    }
    const pieces = source.pieces(seq, source.afterLine(source.colonOf(found.pair)));
    if (!pieces) return [];
    const start = pieces[0]!.start;
    const end = pieces.at(-1)!.next;
    const closed = text[end - 1] === "\n";
    const bodies = pieces.map(
      (piece) => text.slice(piece.start, piece.end) + (piece.next === end && !closed ? eol : ""),
    );
    const gaps = pieces.map((piece) => text.slice(piece.end, piece.next));
    const inPlace = moved(bodies, from, to)
      .map((body, i) => body + gaps[i])
      .join("");
    const along = moved(
      bodies.map((body, i) => body + gaps[i]),
      from,
      to,
    ).join("");
    const open = (joined: string) => (closed ? joined : joined.replace(/\r?\n$/, ""));
    return [open(inPlace), inPlace, open(along), along].map((joined) => [{ start, end, text: joined }]);
  }
}
