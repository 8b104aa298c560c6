import type { GraphFold } from "./fold";
import { type GraphVisit, outermost } from "./visits";

/** The innermost step that failed inside a visit, where a nested graph did; null where none is told. */
export function failedInside(fold: GraphFold, visit: GraphVisit): (GraphVisit & { error: { graph: string } }) | null {
  let found: GraphVisit | null = null;
  for (const one of fold.order) {
    if (one.takenBack || one.state !== "failed" || !one.error?.graph || outermost(one.id) !== visit.id) continue;
    if (!found || one.path.length >= found.path.length) found = one;
  }
  return found as ReturnType<typeof failedInside>;
}
