/** The breakpoints of a debugged run are the server's: every browser that looks at the run sees the same. */
import type { Run } from "@/shared/api/shapes";
import type { GraphFold, SetBreakpoint } from "./fold";

/** Those that are set now: as the journal tells them, else as the run's detail does (journals of older runs tell none). */
export function runBreakpoints(fold: GraphFold, row: Pick<Run, "breakpoints">): readonly SetBreakpoint[] {
  return fold.breakpoints ?? row.breakpoints;
}
