import type { PlacedProblem } from "@/shared/api/shapes";
import { fieldOf, type Graph } from "./graph";

/** What a problem asks for that is only begun: a first step, or the tool or graph of a new step. */
export type Begun = "firstStep" | "tool" | "graph";

export function begunOf(graph: Graph, { path }: PlacedProblem): Begun | null {
  if (graph.nodes.length === 0) return path === "nodes" || path === "entry" ? "firstStep" : null;
  const [top, name, group, setting] = path.split(".");
  if (top !== "nodes" || group !== "settings" || (setting !== "tool" && setting !== "graph")) return null;
  const node = graph.nodes.find((one) => one.name === name);
  const value = node && fieldOf(node.settings, setting);
  return value && "text" in value && value.text.trim() === "" ? setting : null;
}
