import { useMemo } from "react";
import { GraphFold } from "@/features/runs/graph/fold";
import { type RunLooks, useRunLooks } from "@/features/runs/graph/useRunLooks";
import { useWatched } from "./watched";

const NOTHING = new GraphFold();
const NO_TURNS: ReadonlyMap<string, string> = new Map();

/** What the watched run says about the steps and edges; empty without one. */
export function useWatchedLooks(): Partial<RunLooks> {
  const watched = useWatched();
  const { inspected, state } = watched ?? {};
  const looks = useRunLooks(
    inspected?.fold ?? NOTHING,
    inspected?.at ?? state?.count ?? 0,
    Boolean(watched?.live && !watched.past),
    inspected?.turns ?? NO_TURNS,
  );
  const on = watched !== null;
  return useMemo(() => (on ? looks : {}), [on, looks]);
}
