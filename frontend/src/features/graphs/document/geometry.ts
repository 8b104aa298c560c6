/** Sizes on the canvas, in px, and where steps stand that a document gives no place. */
export interface Place {
  x: number;
  y: number;
}

export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 56;
/** Characters of a full width: Chinese, Japanese, Korean, and their punctuation. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
/** How wide an edge's label is drawn. */
export const labelWidth = (text: string): number => text.length * 6.8 + (text.match(WIDE)?.length ?? 0) * 5.8 + 12;
export const COLUMN = 272;
export const ROW = 88;

interface Way {
  source: string;
  targets: readonly string[];
}

/** The column of each step: one further than those that lead to it; ways that lead back don't count. */
function columnsOf(names: readonly string[], edges: readonly Way[], entry: string): Map<string, number> {
  const after = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const { source, targets } of edges)
    after.get(source)?.push(...targets.filter((target) => target !== source && after.has(target)));
  const order: string[] = [];
  const state = new Map<string, "open" | "done">();
  const forward = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const start of [entry, ...names]) {
    if (!after.has(start) || state.has(start)) continue;
    // A long chain would be too deep for calls that call themselves.
    const path = [{ name: start, next: 0 }];
    state.set(start, "open");
    while (path.length > 0) {
      const here = path.at(-1)!;
      const target = after.get(here.name)![here.next];
      here.next += 1;
      if (target === undefined) {
        state.set(here.name, "done");
        order.push(here.name);
        path.pop();
      } else if (state.get(target) !== "open") {
        forward.get(here.name)!.push(target);
        if (!state.has(target)) {
          state.set(target, "open");
          path.push({ name: target, next: 0 });
        }
      }
    }
  }
  const columns = new Map<string, number>();
  for (const name of order.reverse()) {
    const column = columns.get(name) ?? 0;
    columns.set(name, column);
    for (const target of forward.get(name)!) columns.set(target, Math.max(columns.get(target) ?? 0, column + 1));
  }
  return columns;
}

/** Places for steps that the document gives none: from left to right in the order of the edges, on no other step. */
export function placesFor(
  names: readonly string[],
  edges: readonly Way[],
  entry: string,
  given: ReadonlyMap<string, Place>,
): Map<string, Place> {
  const columns = columnsOf(names, edges, entry);
  const taken = [...given.values()];
  const places = new Map<string, Place>();
  const next = new Map<number, number>();
  for (const name of names) {
    if (given.has(name)) continue;
    const column = columns.get(name) ?? 0;
    const place = { x: column * COLUMN, y: (next.get(column) ?? 0) * ROW };
    const covers = ({ x, y }: Place) => Math.abs(x - place.x) < NODE_WIDTH && Math.abs(y - place.y) < NODE_HEIGHT;
    while (taken.some(covers)) place.y += ROW;
    next.set(column, place.y / ROW + 1);
    places.set(name, place);
  }
  return places;
}
