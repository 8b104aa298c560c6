import { type BreakpointEdits, useBreakpointEdits } from "@/features/runs/graph/useBreakpointEdits";
import { runBreakpoints } from "@/features/runs/graph/runBreakpoints";
import { useEditor } from "../context";
import { useWatched } from "./watched";

/** The open graph's breakpoints; a watched debug run hears of each change. */
export function useStops(): BreakpointEdits {
  const name = useEditor((state) => state.draft.name);
  const watched = useWatched();
  const debugs = watched?.live && watched.mayControl && watched.state.fold.mode === "debug";
  const stops = debugs ? runBreakpoints(watched.state.fold, watched.state.row) : null;
  return useBreakpointEdits(name, debugs && stops ? { control: watched.control, stops } : null);
}
