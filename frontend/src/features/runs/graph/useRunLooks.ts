import { useMemo, useRef } from "react";
import type { EdgeState, NodeState } from "@/features/graphs/canvas/flow";
import { fromPlain, writeJson } from "@/shared/json/exact";
import { edgeKey, type GraphFold, type GraphVisit, summaries } from "./fold";
import { durationOf } from "./visits";

const PREVIEW = 120;

/** A few words of what came out. */
function previewOf(visit: GraphVisit): string {
  if (visit.text) return visit.text;
  const output = visit.output as { text?: unknown } | null | undefined;
  if (output && typeof output === "object" && typeof output.text === "string" && output.text) return output.text;
  const delta = Object.keys(visit.delta).length ? visit.delta : output;
  return delta && Object.keys(delta).length ? writeJson(fromPlain(delta)).slice(0, PREVIEW) : "";
}

function stateOf(visit: GraphVisit, visits: number, live: boolean): NodeState {
  const running = visit.state === "running";
  return {
    status: running && !live ? "cancelled" : visit.error ? "failed" : visit.state,
    visits,
    startedAt: running && live && visit.startedAt ? Date.parse(visit.startedAt) : null,
    durationMs: durationOf(visit),
    text: running ? visit.text.slice(-PREVIEW) : previewOf(visit).slice(0, PREVIEW),
    error: visit.error?.message.replace(`${visit.node}: `, ""),
  };
}

const sameState = (a: NodeState | undefined, b: NodeState): boolean =>
  a !== undefined && (Object.keys(b) as (keyof NodeState)[]).every((key) => a[key] === b[key]);

export interface RunLooks {
  nodeState: (name: string) => NodeState | undefined;
  edgeState: (source: string, target: string) => EdgeState | undefined;
}

/**
 * What a run says about the steps and edges of a canvas.
 *
 * The fold grows in place; `version` tells when. `picked` are the turns of loops that somebody looks at, by node.
 */
export function useRunLooks(
  fold: GraphFold,
  version: number,
  live: boolean,
  picked: ReadonlyMap<string, string>,
): RunLooks {
  const kept = useRef(new Map<string, NodeState>());
  const nodeState = useMemo(() => {
    const next = new Map<string, NodeState>();
    for (const [name, { visits, last }] of summaries(fold)) {
      const visit = fold.visits.get(picked.get(name) ?? "") ?? last;
      const made = stateOf(visit, visits, live || fold.status === "paused");
      const old = kept.current.get(name);
      next.set(name, sameState(old, made) ? old! : made);
    }
    kept.current = next;
    return (name: string) => next.get(name);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [fold, version, live, picked]);
  const edgeState = useMemo(() => {
    const moving = new Set(fold.unfinished.filter((one) => one.state === "running").flatMap(({ via }) => via));
    const { done } = fold;
    return (source: string, target: string): EdgeState | undefined => {
      const key = edgeKey(source, target);
      if (live && moving.has(key)) return "running";
      if (fold.takenEdges.has(key)) return "taken";
      return done ? "skipped" : undefined;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [fold, version, live]);
  return useMemo(() => ({ nodeState, edgeState }), [nodeState, edgeState]);
}
