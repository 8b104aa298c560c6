import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "@/shared/api/client";
import type { Run, RunEvent } from "@/shared/api/shapes";
import { useLostSession } from "@/shared/session/session";
import { followRun } from "@/shared/socket/live";
import { EMPTY_RUN, foldRun, type RunView } from "./fold";
import { runRead } from "./requests/runRead";

const CHECK_MS = 4000;

export interface RunJournalState {
  events: readonly RunEvent[];
  view: RunView;
  /** The run's row, where it could be read. */
  run: Run | null;
  error: unknown;
}

/** A run as it happens: its journal by the socket, and now and then a look whether something was missed. */
export function useRunJournal(id: string | null): RunJournalState {
  const queries = useQueryClient();
  /** The link ends with the session; it is opened anew when the same person is back. */
  const signedOut = useLostSession((state) => state.lost);
  const [events, setEvents] = useState<readonly RunEvent[]>([]);
  const [run, setRun] = useState<Run | null>(null);
  const [error, setError] = useState<unknown>(null);
  const frame = useRef(0);

  useEffect(() => {
    if (signedOut) return;
    setEvents([]);
    setRun(null);
    setError(null);
    if (!id) return;
    let ended = false;
    const read = () =>
      runRead(id).then(
        (row) => {
          if (ended) return;
          setRun(row);
          journal.expect(Number(row.last_seq ?? 0));
        },
        (why: unknown) => {
          const refused = why instanceof ApiError && [403, 404].includes(why.status);
          if (!ended && refused) setError(why);
        },
      );
    const journal = followRun(id, (all, done) => {
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(() => setEvents([...all]));
      if (!done) return;
      clearInterval(timer);
      void read();
      void queries.invalidateQueries({ queryKey: ["tools"] });
      void queries.invalidateQueries({ queryKey: ["runs"] });
    });
    const timer = setInterval(() => void read(), CHECK_MS);
    void read();
    return () => {
      ended = true;
      clearInterval(timer);
      cancelAnimationFrame(frame.current);
      journal.close();
    };
  }, [id, queries, signedOut]);

  const view = useMemo(() => {
    const folded = events.length ? foldRun(events) : EMPTY_RUN;
    return run && !folded.done && run.status === "stopping" ? { ...folded, status: run.status } : folded;
  }, [events, run]);
  return { events, view, run, error };
}
