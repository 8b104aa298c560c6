/** Breakpoints of a graph, remembered in this browser: a run starts with them, and the next one too. */
import { create } from "zustand";
import { own } from "@/shared/own";

export interface Breakpoint {
  node: string;
  condition?: string;
  on?: "enter" | "leave";
}

/** Those of steps that the graph has: no run can stop at others. */
export function knownStops(list: readonly Breakpoint[], nodes: readonly { name: string }[]): Breakpoint[] {
  const known = new Set(nodes.map(({ name }) => name));
  return list.filter(({ node }) => known.has(node));
}

const STORE = "workbench.breakpoints.";

function stored(graph: string): Breakpoint[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORE + graph) ?? "[]");
    if (!Array.isArray(value)) return [];
    return value
      .map((one: unknown) => (typeof one === "string" ? { node: one } : (one as Breakpoint)))
      .filter((one) => typeof one?.node === "string");
  } catch {
    return [];
  }
}

interface State {
  byGraph: Record<string, Breakpoint[]>;
  read: (graph: string) => void;
  set: (graph: string, breakpoint: Breakpoint) => void;
  clear: (graph: string, node: string) => void;
  replace: (graph: string, list: readonly Breakpoint[]) => void;
}

function keep(state: State, graph: string, list: Breakpoint[]): Pick<State, "byGraph"> {
  localStorage.setItem(STORE + graph, JSON.stringify(list));
  return { byGraph: { ...state.byGraph, [graph]: list } };
}

export const useBreakpoints = create<State>((set) => ({
  byGraph: {},
  read: (graph) => set((state) => ({ byGraph: { ...state.byGraph, [graph]: stored(graph) } })),
  set: (graph, breakpoint) =>
    set((state) => {
      const others = (own(state.byGraph, graph) ?? stored(graph)).filter(({ node }) => node !== breakpoint.node);
      return keep(state, graph, [...others, breakpoint]);
    }),
  replace: (graph, list) => set((state) => keep(state, graph, [...list])),
  clear: (graph, node) =>
    set((state) =>
      keep(
        state,
        graph,
        (own(state.byGraph, graph) ?? stored(graph)).filter((one) => one.node !== node),
      ),
    ),
}));
