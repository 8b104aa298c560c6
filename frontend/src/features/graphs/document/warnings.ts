/** What is most likely not meant in a graph, though nothing keeps it from running, and what is only begun. */
import type { CallInfo, PlacedProblem } from "@/shared/api/shapes";
import { fieldOf, type Graph, type GraphNode, textOf } from "./graph";
import { outputsOf, type Sources } from "./outputs";
import type { Schema } from "./shape";

export type Warning = { path: string[] } & (
  | { why: "unreached"; step: string }
  | { why: "noQuestion"; step: string }
  | { why: "noOutput"; step: string; output: string; variable: string }
);

function reachedFrom(graph: Graph): Set<string> {
  const following = new Map<string, string[]>();
  for (const { source, targets } of graph.edges) following.set(source, [...(following.get(source) ?? []), ...targets]);
  const reached = new Set([graph.entry]);
  // A set is walked through to its end, also to what is added on the way.
  for (const name of reached) for (const target of following.get(name) ?? []) reached.add(target);
  return reached;
}

/** Whether a step certainly puts out nothing at a path; false where that isn't known. */
export function lacksOutput(
  graph: Graph,
  node: GraphNode,
  path: string,
  calls: readonly CallInfo[],
  sources: Sources,
): boolean {
  const call = calls.find(({ name }) => name === node.call);
  const outputs = call?.outputs as Schema | undefined;
  if (!outputs || outputs.additionalProperties === true || path.trim() === "") return false;
  const known = outputsOf(graph, node.name, calls, sources).map((one) => one.path);
  const [top = "", ...rest] = path.split("/");
  if (!Object.hasOwn(outputs.properties ?? {}, top)) return !known.some((one) => one.split("/")[0] === top);
  const variables = known.filter((one) => one.startsWith("variables/"));
  if (top !== "variables" || rest.length === 0 || variables.length === 0) return false;
  return !variables.some((one) => one === path || one.startsWith(`${path}/`) || path.startsWith(`${one}/`));
}

/** What is likely wrong though the document holds. */
export function warningsOf(graph: Graph, calls: readonly CallInfo[], sources: Sources): Warning[] {
  const entered = graph.nodes.some(({ name }) => name === graph.entry);
  const reached = entered ? reachedFrom(graph) : null;
  return graph.nodes.flatMap((node): Warning[] => {
    const { name: step } = node;
    const found: Warning[] = [];
    if (reached && !reached.has(step)) found.push({ why: "unreached", step, path: ["nodes", step] });
    const question = fieldOf(node.settings, "question");
    const silent = question !== undefined && !("map" in question) && !("seq" in question) && !textOf(question).trim();
    if (node.call === "Ask" && silent)
      found.push({ why: "noQuestion", step, path: ["nodes", step, "settings", "question"] });
    for (const [variable, output] of node.outputs)
      if (lacksOutput(graph, node, output, calls, sources))
        found.push({ why: "noOutput", step, output, variable, path: ["nodes", step, "outputs", variable] });
    return found;
  });
}

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
