/** Breakpoints of a graph, remembered in this browser: a run starts with them, and the next one too. */
import { create } from "zustand";

export interface Breakpoint {
  node: string;
  condition?: string;
  on?: "enter" | "leave";
}

const STORE = "workbench.breakpoints.";

function stored(graph: string): Breakpoint[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORE + graph) ?? "[]");
    return Array.isArray(value) ? value.filter((one: Partial<Breakpoint>) => typeof one?.node === "string") : [];
  } catch {
    return [];
  }
}

interface State {
  byGraph: Record<string, Breakpoint[]>;
  read: (graph: string) => void;
  set: (graph: string, breakpoint: Breakpoint) => void;
  clear: (graph: string, node: string) => void;
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
      const others = (state.byGraph[graph] ?? stored(graph)).filter(({ node }) => node !== breakpoint.node);
      return keep(state, graph, [...others, breakpoint]);
    }),
  clear: (graph, node) =>
    set((state) =>
      keep(
        state,
        graph,
        (state.byGraph[graph] ?? stored(graph)).filter((one) => one.node !== node),
      ),
    ),
}));
