/** Which rows of a long list are in view, and where they stand in its box. */

const OVERSCAN = 8;
/** Browsers can't draw boxes of any height: beyond this the scroll bar stands for the rows in proportion. */
const TALLEST = 8_000_000;

/** How high the box of the rows is. */
export const boxHeight = (count: number, height: number): number => Math.min(count * height, TALLEST);

/** How many px of rows one px of the scroll bar stands for; so much that its end is the rows' end. */
function ratio(count: number, height: number, view: number): number {
  const total = count * height;
  const box = boxHeight(count, height);
  return total > box && box > view ? (total - view) / (box - view) : 1;
}

export interface RowsInView {
  first: number;
  /** Behind the last one. */
  last: number;
  /** Where the first one stands in the box. */
  offset: number;
}

/** The rows to draw where a box was scrolled to `top`, of which `view` px are seen; a few more at both ends. */
export function rowsInView(count: number, height: number, top: number, view: number): RowsInView {
  const total = count * height;
  const below = total - boxHeight(count, height);
  const at = Math.min(top * ratio(count, height, view), top + below);
  const first = Math.max(0, Math.floor(at / height) - OVERSCAN);
  const last = Math.min(count, Math.ceil((at + view) / height) + OVERSCAN);
  return { first, last, offset: top - (at - first * height) };
}

/** Where a box is scrolled to so that a row is at its top. */
export const scrollTo = (row: number, count: number, height: number, view: number): number =>
  (row * height) / ratio(count, height, view);

/** So many rows are drawn at most: one keeps its slot while it is in view. */
export const slotsOf = (height: number, view: number): number => Math.ceil(view / height) + 2 * OVERSCAN + 2;
