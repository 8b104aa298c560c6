import { useEffect, useMemo } from "react";
import { type Breakpoint, useBreakpoints } from "./breakpoints";
import type { RunControl } from "./useRunControl";

const NONE: Breakpoint[] = [];

export interface BreakpointEdits {
  list: Breakpoint[];
  names: ReadonlySet<string>;
  set: (breakpoint: Breakpoint) => void;
  clear: (node: string) => void;
  toggle: (node: string) => void;
}

/** A graph's breakpoints; a debug run that goes on right now (`live`) hears of each change. */
export function useBreakpointEdits(graph: string, live: RunControl | null): BreakpointEdits {
  const list = useBreakpoints((store) => store.byGraph[graph]) ?? NONE;
  useEffect(() => useBreakpoints.getState().read(graph), [graph]);
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
