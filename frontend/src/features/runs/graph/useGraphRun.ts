import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Run, RunEvent, RunStatus } from "@/shared/api/shapes";
import { useLostSession } from "@/shared/session/session";
import { followRun } from "@/shared/socket/live";
import { eventsBefore } from "../requests/eventList";
import { graphVersion } from "../requests/graphVersion";
import { runRead } from "../requests/runRead";
import { graphOf, type RunGraph } from "./definition";
import { GraphFold, statusOf } from "./fold";

const CHECK_MS = 4000;
/**
 * The picture is drawn anew at most this often, in ms: text that streams at 2,000 events a second must not stutter.
 * Where drawing takes long it is drawn less often, yet no state stands for longer than the second.
 */
const DRAW_MS = { soonest: 50, latest: 100 } as const;
/** How many times as long as a drawing took the page is left to other things. */
const REST = 3;
const NO_GRAPH = graphOf({});

export interface GraphRun {
  graph: RunGraph | null;
  /** Whether the graph's version could not be read. */
  noGraph: boolean;
  /** Everything that happened, the runs it goes on from first. Grows in place: `count` tells that it did. */
  events: readonly RunEvent[];
  count: number;
  fold: GraphFold;
  status: RunStatus;
  row: Run;
}

interface Shown {
  events: RunEvent[];
  count: number;
  fold: GraphFold;
}

/** A graph's run as it happens. */
export function useGraphRun(first: Run): GraphRun {
  const { id, name, revision } = first;
  const queries = useQueryClient();
  const signedOut = useLostSession((state) => state.lost);
  const version = useQuery({
    queryKey: ["graphs", name, "run-version", revision],
    queryFn: () => graphVersion(name, revision),
    staleTime: Infinity,
    retry: false,
  });
  const graph = version.data ?? (version.isError ? NO_GRAPH : null);
  const [row, setRow] = useState(first);
  const [shown, setShown] = useState<Shown>(() => ({ events: [], count: 0, fold: new GraphFold() }));

  useEffect(() => {
    if (signedOut || !graph) return;
    const events: RunEvent[] = [];
    const fold = new GraphFold(graph.joins);
    let own: readonly RunEvent[] = [];
    let used = 0;
    let past: "unknown" | "asked" | "known" = "unknown";
    let ended = false;
    let frame = 0;
    let timer = 0;
    let drawn = 0;
    let took = 0;

    const draw = () => {
      frame = 0;
      drawn = performance.now();
      if (past !== "known") {
        if (past === "unknown" && own.length > 0) {
          past = "asked";
          void eventsBefore(own[0])
            .catch(() => [])
            .then((before) => {
              if (ended) return;
              for (const event of before) events.push(event);
              past = "known";
              plan();
            });
        }
        return;
      }
      while (used < own.length) events.push(own[used++]!);
      fold.take(events, fold.seen);
      setShown({ events, count: events.length, fold });
      // What is queued now comes after the drawing.
      window.setTimeout(() => (took = performance.now() - drawn));
    };
    const plan = () => {
      if (frame || timer) return;
      const pause = Math.min(DRAW_MS.latest, Math.max(DRAW_MS.soonest, took * (REST + 1)));
      const wait = Math.max(0, pause - (performance.now() - drawn));
      timer = window.setTimeout(() => {
        timer = 0;
        frame = requestAnimationFrame(draw);
      }, wait);
    };
    const read = () =>
      runRead(id).then(
        (now) => {
          if (ended) return;
          setRow(now);
          journal.expect(Number(now.last_seq ?? 0));
        },
        () => undefined,
      );
    const journal = followRun(id, (all, done) => {
      own = all;
      plan();
      if (!done) return;
      clearInterval(checking);
      void read();
      void queries.invalidateQueries({ queryKey: ["graphs"], exact: true });
      void queries.invalidateQueries({ queryKey: ["runs"] });
    });
    const checking = setInterval(() => void read(), CHECK_MS);
    void read();
    return () => {
      ended = true;
      clearInterval(checking);
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      journal.close();
    };
  }, [id, graph, queries, signedOut]);

  const behind = Number(shown.events.at(-1)?.seq ?? 0) < Number(row.last_seq ?? 0);
  return { ...shown, graph, noGraph: version.isError, row, status: statusOf(shown.fold, row.status, behind) };
}

/** The run as it was after `at` events; the live one where `at` is null. */
export function useFoldAt({ graph, events, fold }: GraphRun, at: number | null): GraphFold {
  const kept = useRef<{ events: readonly RunEvent[]; fold: GraphFold } | null>(null);
  return useMemo(() => {
    if (at === null || !graph) return fold;
    const known = kept.current;
    const forward = known?.events === events && known.fold.seen <= at;
    const past = forward ? known.fold : new GraphFold(graph.joins);
    past.take(events, past.seen, Math.min(at, events.length));
    kept.current = { events, fold: past };
    return past;
  }, [at, graph, events, fold]);
}
