import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Run, RunEvent } from "@/shared/api/shapes";
import { EMPTY_RUN, foldRun } from "../fold";
import { graphOf, type RunGraph } from "../graph/definition";
import { GraphFold, statusOf } from "../graph/fold";
import { eventsUpTo } from "../requests/eventList";
import { graphVersion } from "../requests/graphVersion";
import { runRead } from "../requests/runRead";
import { graphLines, type Line, toolLines } from "./lines";

const LOOK_AGAIN_MS = 3000;
const ENDED = new Set(["finished", "failed", "cancelled"]);

export interface Compared {
  run: Run;
  status: string;
  durationMs: number | null;
  output: unknown;
  lines: Line[];
}

interface Read {
  run: Run;
  events: RunEvent[];
  graph: RunGraph | null;
}

async function read(id: string): Promise<Read> {
  const run = await runRead(id);
  const [events, graph] = await Promise.all([
    eventsUpTo(id, Number(run.last_seq)),
    // What can't be read any more only told how joins wait.
    run.kind === "graph" ? graphVersion(run.name, run.revision).catch(() => graphOf({})) : null,
  ]);
  return { run, events, graph };
}

function compared({ run, events, graph }: Read): Compared {
  if (!graph) {
    const view = events.length ? foldRun(events) : EMPTY_RUN;
    return {
      run,
      status: run.status,
      durationMs: run.duration_ms,
      output: view.done ? view.output : undefined,
      lines: toolLines(view),
    };
  }
  const fold = new GraphFold(graph.joins).take(events);
  return {
    run,
    status: statusOf(fold, run.status),
    durationMs: run.duration_ms,
    output: fold.done ? (fold.output ?? run.output) : undefined,
    lines: graphLines(fold),
  };
}

/** A run as it is compared; one that goes on is read again now and then. */
export function useCompared(id: string): { data: Compared | undefined; error: unknown } {
  const { data, error } = useQuery({
    queryKey: ["run", id, "compared"],
    queryFn: () => read(id),
    refetchInterval: (query) => (query.state.data && !ENDED.has(query.state.data.run.status) ? LOOK_AGAIN_MS : false),
  });
  return { data: useMemo(() => data && compared(data), [data]), error };
}
