import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RunRow } from "@/shared/api/shapes";
import { useLostSession, useMay } from "@/shared/session/session";
import { followRuns } from "@/shared/socket/live";
import { runList } from "./requests/runList";

/** Beyond these nobody counts: it is shown as more than that. */
export const MOST_COUNTED = 99;
const SOON_MS = 250;
const KEY = ["runs", "waiting", "count"];

/** Whether a change of runs may change what waits: a run came to wait, or one that waited no longer does. */
export function changesWaiting(rows: readonly RunRow[], waiting: ReadonlySet<string>): boolean {
  return rows.some(({ id, status }) => waiting.has(id) !== (status === "waiting"));
}

/** How many runs wait for an answer, live; null while that isn't known, and for those who may not answer. */
export function useWaitingCount(): number | null {
  const queries = useQueryClient();
  const signedOut = useLostSession((state) => state.lost);
  const may = useMay("runs.control") && !signedOut;
  const waiting = useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const { results } = await runList({ status: "waiting", limit: MOST_COUNTED + 1 });
      return new Set(results.map(({ id }) => id));
    },
    enabled: may,
  });
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    known.current = waiting.data ?? new Set();
  }, [waiting.data]);
  useEffect(() => {
    if (!may) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void queries.invalidateQueries({ queryKey: KEY }), SOON_MS);
    };
    const link = followRuns((rows) => {
      if (changesWaiting(rows, known.current)) look();
    }, look);
    return () => {
      clearTimeout(timer);
      link.close();
    };
  }, [may, queries]);
  return may && waiting.data ? waiting.data.size : null;
}
