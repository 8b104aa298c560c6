/**
 * Where the visits of a run stand in its drawing: from left to right in the order of cause, one column a step.
 *
 * What follows first stays in its visit's row. Every other branch, a nested graph, and what was taken back get a row
 * below. Rows are shared where columns don't meet, so that a loop of a thousand turns stays as low as one turn.
 */
import type { GraphVisit } from "./visits";
import { enclosing } from "./visits";

export const BOX = { width: 124, height: 40, columnGap: 20, rowGap: 10, margin: 12 } as const;
const COLUMN = BOX.width + BOX.columnGap;
const ROW = BOX.height + BOX.rowGap;

export interface TraceBox {
  visit: GraphVisit;
  column: number;
  row: number;
  x: number;
  y: number;
  /** The visit from which a step to the left leads. */
  before: TraceBox | null;
  /** What follows, the one in the same row first. */
  after: TraceBox[];
}

export interface TraceLink {
  from: TraceBox | null;
  to: TraceBox;
  /** The start of a graph inside a visit. */
  inside: boolean;
}

export interface TraceLayout {
  boxes: readonly TraceBox[];
  byId: ReadonlyMap<string, TraceBox>;
  links: readonly TraceLink[];
  columns: readonly (readonly TraceBox[])[];
  width: number;
  height: number;
}

/** The rows that are taken in some columns, and the first one that is free. */
class Rows {
  private readonly taken: [number, number][][] = [];
  /** Two chains that begin in one column never share a row: the search goes on where the last one ended. */
  private readonly next = new Map<number, number>();
  count = 0;

  place(first: number, last: number, below: number): number {
    let row = Math.max(below, this.next.get(first) ?? 0);
    while (this.taken[row]?.some(([from, to]) => from <= last && first <= to)) row += 1;
    (this.taken[row] ??= []).push([first, last]);
    this.next.set(first, row + 1);
    this.count = Math.max(this.count, row + 1);
    return row;
  }
}

function linked(visits: readonly GraphVisit[]) {
  const byId = new Map<string, TraceBox>();
  const links: TraceLink[] = [];
  const first: TraceBox[] = [];
  for (const visit of visits) {
    const inside = visit.parents.length === 0 ? enclosing(visit.id) : null;
    const parents = (inside === null ? visit.parents : [inside]).flatMap((id) => byId.get(id) ?? []);
    const column = parents.reduce((most, one) => Math.max(most, one.column + 1), 0);
    const before = parents[0] ?? null;
    const box: TraceBox = { visit, column, row: 0, x: 0, y: 0, before, after: [] };
    byId.set(visit.id, box);
    if (before) before.after.push(box);
    else first.push(box);
    for (const from of parents.length > 0 ? parents : [null]) links.push({ from, to: box, inside: inside !== null });
  }
  return { byId, links, first };
}

/** Counted before taken back, the same graph before a nested one, else as they came. */
function inOrder(boxes: TraceBox[]): TraceBox[] {
  const rank = ({ visit, before }: TraceBox) =>
    (visit.takenBack ? 2 : 0) + (before && visit.path.length > before.visit.path.length ? 1 : 0);
  return boxes.sort((a, b) => rank(a) - rank(b));
}

export function layoutTrace(visits: readonly GraphVisit[]): TraceLayout {
  const { byId, links, first } = linked(visits);
  const boxes = [...byId.values()];
  for (const box of boxes) inOrder(box.after);
  const rows = new Rows();
  const chains = inOrder(first).map((head) => ({ head, below: 0 }));
  for (let index = 0; index < chains.length; index += 1) {
    const { head, below } = chains[index]!;
    const chain: TraceBox[] = [];
    for (let box: TraceBox | undefined = head; box; box = sameRow(box)) chain.push(box);
    const row = rows.place(head.column, chain.at(-1)!.column, below);
    for (const box of chain) {
      box.row = row;
      box.x = BOX.margin + box.column * COLUMN;
      box.y = BOX.margin + row * ROW;
      for (const other of box.after) if (other !== sameRow(box)) chains.push({ head: other, below: row + 1 });
    }
  }
  const columns: TraceBox[][] = [];
  for (const box of boxes) (columns[box.column] ??= []).push(box);
  for (const column of columns) column.sort((a, b) => a.row - b.row);
  return {
    boxes,
    byId,
    links,
    columns,
    width: 2 * BOX.margin + Math.max(1, columns.length) * COLUMN - BOX.columnGap,
    height: 2 * BOX.margin + Math.max(1, rows.count) * ROW - BOX.rowGap,
  };
}

function sameRow(box: TraceBox): TraceBox | undefined {
  const next = box.after[0];
  return next && next.visit.path.length === box.visit.path.length ? next : undefined;
}

export type Move = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";

/** Where a key leads from a box; the box itself where there is nothing. */
export function moved(layout: TraceLayout, box: TraceBox, key: Move): TraceBox {
  switch (key) {
    case "ArrowLeft":
      return box.before ?? box;
    case "ArrowRight":
      return box.after[0] ?? box;
    case "Home":
      return layout.boxes[0] ?? box;
    case "End":
      return layout.boxes.at(-1) ?? box;
    default: {
      const column = layout.columns[box.column] ?? [];
      return column[column.indexOf(box) + (key === "ArrowDown" ? 1 : -1)] ?? box;
    }
  }
}

export interface View {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const COLUMNS_AROUND = 1;

/** The boxes in view. */
export function boxesIn(layout: TraceLayout, view: View): TraceBox[] {
  const first = Math.max(0, Math.floor((view.left - BOX.margin) / COLUMN) - COLUMNS_AROUND);
  const last = Math.min(layout.columns.length - 1, Math.floor((view.right - BOX.margin) / COLUMN) + COLUMNS_AROUND);
  const found: TraceBox[] = [];
  for (let column = first; column <= last; column += 1)
    for (const box of layout.columns[column] ?? [])
      if (box.y + BOX.height >= view.top && box.y <= view.bottom) found.push(box);
  return found;
}

/** The links of which something is in view. Of those that only pass by downwards, one a visit stands for all. */
export function linksIn(layout: TraceLayout, view: View): TraceLink[] {
  const found: TraceLink[] = [];
  const passing = new Map<TraceBox | null, TraceLink>();
  for (const link of layout.links) {
    const { from, to } = link;
    const left = from ? from.x : to.x - BOX.columnGap;
    const top = Math.min(to.y, from?.y ?? to.y);
    const bottom = Math.max(to.y, from?.y ?? to.y) + BOX.height;
    if (left > view.right || to.x < view.left || top > view.bottom || bottom < view.top) continue;
    if (to.y <= view.bottom && to.y + BOX.height >= view.top) found.push(link);
    else if ((passing.get(from)?.to.y ?? -1) < to.y) passing.set(from, link);
  }
  return [...found, ...passing.values()];
}

/** The line of a link: out at the right, down in the gap before the next column, in at the left. */
export function lineOf({ from, to }: TraceLink): string {
  const y = to.y + BOX.height / 2;
  if (!from) return `M${to.x - BOX.margin + 3} ${y}H${to.x}`;
  const start = from.y + BOX.height / 2;
  const turn = from.x + BOX.width + BOX.columnGap / 2;
  return start === y ? `M${from.x + BOX.width} ${y}H${to.x}` : `M${from.x + BOX.width} ${start}H${turn}V${y}H${to.x}`;
}
