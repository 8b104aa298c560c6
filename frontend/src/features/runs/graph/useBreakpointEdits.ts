import { useEffect, useMemo } from "react";
import { own } from "@/shared/own";
import { type Breakpoint, useBreakpoints } from "./breakpoints";
import type { SetBreakpoint } from "./fold";
import type { RunControl } from "./useRunControl";

const NONE: Breakpoint[] = [];

export interface BreakpointEdits {
  list: Breakpoint[];
  names: ReadonlySet<string>;
  set: (breakpoint: Breakpoint) => void;
  clear: (node: string) => void;
  toggle: (node: string) => void;
}

export interface Debugged {
  send: RunControl["send"];
  /** Where it stops, as the server says. */
  stops: readonly SetBreakpoint[];
}

/** A graph's breakpoints; of a debug run that goes on right now (`live`) its own, and it hears of each change. */
export function useBreakpointEdits(graph: string, live: Debugged | null): BreakpointEdits {
  const kept = useBreakpoints((store) => own(store.byGraph, graph)) ?? NONE;
  const stops = live?.stops;
  useEffect(() => useBreakpoints.getState().read(graph), [graph]);
  const list = useMemo(
    () =>
      stops
        ? stops.map(({ node, on, condition }): Breakpoint => ({ node, on, condition: condition ?? undefined }))
        : kept,
    [stops, kept],
  );
  const names = useMemo(() => new Set(list.map((one) => one.node)), [list]);
  const set = (one: Breakpoint) => {
    useBreakpoints.getState().set(graph, one);
    live?.send({ command: "set_breakpoint", ...one });
  };
  const clear = (node: string) => {
    useBreakpoints.getState().clear(graph, node);
    live?.send({ command: "clear_breakpoint", node });
  };
  return { list, names, set, clear, toggle: (node) => (names.has(node) ? clear(node) : set({ node })) };
}
