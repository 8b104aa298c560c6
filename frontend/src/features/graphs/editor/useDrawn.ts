import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PlacedProblem } from "@/shared/api/shapes";
import { useSay } from "@/shared/i18n/sentences";
import { Drawing } from "../canvas/flow";
import { useCalls, useGraph, useUi } from "./context";
import { useStops } from "./run/useStops";
import { useWatchedLooks } from "./run/useWatchedLooks";
import { useFindings } from "./warnings";

/** The open graph as nodes and wires; `wiring` is the step from which somebody draws a wire. */
export function useDrawn(wiring: string | null) {
  const { t } = useTranslation();
  const say = useSay();
  const { graph, locked } = useGraph();
  const calls = useCalls();
  const { problems, warnings } = useFindings();
  const selected = useUi((state) => state.selected);
  const edge = useUi((state) => state.edge);
  const breakpoints = useStops().names;
  const run = useWatchedLooks();
  const drawing = useRef<Drawing | null>(null);
  drawing.current ??= new Drawing();
  const looks = useMemo(() => {
    const labels = new Map(calls.map(({ name, label }) => [name, label]));
    const firsts = (list: readonly PlacedProblem[]) => {
      const found = new Map<string, string>();
      for (const { path, message } of list) {
        const key = path.split(".").slice(0, 2).join(".");
        if (!found.has(key)) found.set(key, say(message));
      }
      return found;
    };
    const found = firsts(problems);
    const likely = firsts(warnings);
    const taken = new Set(
      wiring === null ? [] : graph.edges.filter(({ source }) => source === wiring).flatMap(({ targets }) => targets),
    );
    return {
      callLabel: (call: string) => labels.get(call) ?? call,
      problemOf: (path: string) => found.get(path),
      warningOf: (path: string) => likely.get(path),
      elseLabel: t("graphs.else"),
      breakpoints,
      ...run,
      selected: { nodes: selected, edge },
      editable: !locked,
      unfit: (name: string) => wiring !== null && (taken.has(name) || name === wiring),
    };
  }, [calls, problems, warnings, selected, edge, breakpoints, run, locked, wiring, graph, t, say]);
  return {
    graph,
    locked,
    nodes: useMemo(() => drawing.current!.nodesOf(graph, looks), [graph, looks]),
    wires: useMemo(() => drawing.current!.wiresOf(graph, looks), [graph, looks]),
  };
}
