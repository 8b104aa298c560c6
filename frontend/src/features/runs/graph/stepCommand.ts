import type { RunCommand } from "../requests/runCommand";
import type { GraphFold } from "./fold";

/**
 * One step on. It names the visit that is seen to be held, so that of two people who press at once one steps and
 * the other is told; where several are held, all of them step.
 */
export function stepCommand({ held }: Pick<GraphFold, "held">): RunCommand {
  const [first, ...more] = held;
  return first && more.length === 0 ? { command: "step_over", visit: first.id } : { command: "step_over" };
}
