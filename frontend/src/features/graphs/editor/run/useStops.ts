import { type BreakpointEdits, useBreakpointEdits } from "@/features/runs/graph/useBreakpointEdits";
import { useEditor } from "../context";
import { useDebugged } from "./watched";

/** The open graph's breakpoints; a watched debug run hears of each change. */
export function useStops(): BreakpointEdits {
  const name = useEditor((state) => state.draft.name);
  return useBreakpointEdits(name, useDebugged());
}
