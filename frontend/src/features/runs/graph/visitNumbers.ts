/** Visits as a person counts them: one after the other, without those that were taken back. */
import type { GraphFold } from "./fold";
import { type GraphVisit, outermost } from "./visits";

interface Counted {
  changes: number;
  /** How many visits of the fold were looked at. */
  seen: number;
  numbers: Map<string, number>;
}

/** The fold grows in place: what was counted of it stays until somebody goes back. */
const counted = new WeakMap<GraphFold, Counted>();

function numbersOf(fold: GraphFold, anew = false): ReadonlyMap<string, number> {
  let known = counted.get(fold);
  if (anew || !known || known.changes !== fold.changes) {
    known = { changes: fold.changes, seen: 0, numbers: new Map() };
    counted.set(fold, known);
  }
  for (; known.seen < fold.order.length; known.seen += 1) {
    const visit = fold.order[known.seen]!;
    if (visit.path.length === 0 && !visit.takenBack) known.numbers.set(visit.id, known.numbers.size + 1);
  }
  return known.numbers;
}

/** The number of a visit, of one inside a subgraph with that of the visit around it; null once it is taken back. */
export function numberOf(fold: GraphFold, { id, takenBack }: GraphVisit): string | null {
  if (takenBack) return null;
  const outer = outermost(id);
  // A visit that was taken back counts again when the run is held at it.
  const number = numbersOf(fold).get(outer) ?? numbersOf(fold, true).get(outer);
  return number === undefined ? id : number + id.slice(outer.length);
}
