import { useEffect, useRef } from "react";
import { useBreakpoints } from "@/features/runs/graph/breakpoints";
import { own } from "@/shared/own";
import { useEditor, useGraph } from "../context";
import { followedStops } from "../../document/stops";

/** Lets this browser's breakpoints follow the names of the open graph. */
export function useStopsFollow(): void {
  const { graph } = useGraph();
  const name = useEditor((state) => state.draft.name);
  const before = useRef(graph);
  useEffect(() => {
    const list = own(useBreakpoints.getState().byGraph, name) ?? [];
    const followed = followedStops(list, before.current, graph);
    before.current = graph;
    if (followed !== list) useBreakpoints.getState().replace(name, followed);
  }, [graph, name]);
}
