import { useMemo } from "react";
import { useSlowed } from "@/shared/hooks/useSlowed";
import type { RunGraph } from "./definition";
import type { GraphFold } from "./fold";
import { type State, stateNow } from "./state";

/** Put together anew at most this many ms apart, and one more for so many visits. */
const EVERY_MS = 150;
const VISITS_A_MS = 100;

/** The state of a run that goes on, or null where there is none yet. */
export function useStateNow(graph: RunGraph | null, fold: GraphFold | null): State | null {
  const version = useSlowed(fold?.version, EVERY_MS + (fold?.order.length ?? 0) / VISITS_A_MS);
  // The fold grows in place; its version tells when.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => (graph && fold ? stateNow(graph, fold) : null), [graph, fold, version]);
}
