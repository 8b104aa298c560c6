import { useState } from "react";
import { useSlowed } from "@/shared/hooks/useSlowed";
import type { GraphFold, GraphVisit } from "./fold";
import { type GraphRun, useFoldAt } from "./useGraphRun";

export interface Inspected {
  /** The run as it is looked at: now, or after `at` events. */
  fold: GraphFold;
  at: number | null;
  travel: (at: number | null) => void;
  node: string | null;
  visit: GraphVisit | null;
  /** The turn that was picked at each node. */
  turns: ReadonlyMap<string, string>;
  pick: (visit: string) => void;
  select: (node: string | null) => void;
}

/** The newest visit of a loop is shown for so many ms at least: nobody reads what changes with every drawing. */
const NEWEST_MS = 200;

const NONE: ReadonlyMap<string, string> = new Map();

/** Where the node that is looked at is kept, when others choose it too. */
export interface Chosen {
  node: string | null;
  choose: (node: string | null) => void;
}

/** The newest visit of a node; in a loop that turns fast, one of the newest. */
function useNewest(fold: GraphFold, node: string | null): GraphVisit | null {
  const newest = (node ? fold.visitsOf(node).at(-1) : undefined) ?? null;
  const slowed = useSlowed(newest, NEWEST_MS);
  const stands = slowed && slowed.node === node && !slowed.takenBack && fold.visits.get(slowed.id) === slowed;
  return stands ? slowed : newest;
}

/** What somebody looks at: a moment, a node, one of its visits. */
export function useInspected(state: GraphRun, chosen?: Chosen): Inspected {
  const [at, travel] = useState<number | null>(null);
  const [own, setOwn] = useState<string | null>(null);
  const node = chosen ? chosen.node : own;
  const setNode = chosen ? chosen.choose : setOwn;
  const [nested, setNested] = useState<string | null>(null);
  const [turns, setTurns] = useState(NONE);
  const fold = useFoldAt(state, at);
  const newest = useNewest(fold, node);
  const turn = node ? fold.visits.get(turns.get(node) ?? "") : undefined;
  const visit = (nested ? fold.visits.get(nested) : undefined) ?? turn ?? newest;
  const select = (next: string | null) => {
    setNode(next);
    setNested(null);
  };
  const pick = (id: string) => {
    const found = fold.visits.get(id) ?? state.fold.visits.get(id);
    if (!found) return;
    if (found.path.length > 0) return setNested(id);
    setNode(found.node);
    setNested(null);
    setTurns((now) => {
      const next = new Map(now);
      const newest = state.fold.visitsOf(found.node).at(-1)?.id === id;
      if (newest) next.delete(found.node);
      else next.set(found.node, id);
      return next;
    });
  };
  return { fold, at, travel, node, visit, turns, pick, select };
}
