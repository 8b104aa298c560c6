/** What a step can refer to: the state, the inputs, what earlier steps put out. */
import type { CallInfo } from "@/shared/api/shapes";
import type { Graph } from "./graph";

export interface Reference {
  text: string;
  kind: "state" | "input" | "node" | "sys" | "env" | "item";
  name: string;
}

/** The steps from which a way leads to one, the nearest first. */
export function earlier(graph: Graph, name: string): string[] {
  const seen = new Set<string>();
  let edge = [name];
  while (edge.length) {
    const before = graph.edges.filter(({ targets }) => targets.some((target) => edge.includes(target)));
    edge = [...new Set(before.map(({ source }) => source))].filter((one) => !seen.has(one));
    for (const one of edge) seen.add(one);
  }
  return [...seen].filter((one) => graph.nodes.some((node) => node.name === one));
}

/** The keys that a kind of step puts out. */
export function outputsOf(call: CallInfo | undefined): string[] {
  const properties = call?.outputs.properties;
  return properties && typeof properties === "object" ? Object.keys(properties) : [];
}

/** All that a step puts out: its kind's outputs, and the values that it was told to make. */
export function outputPaths(graph: Graph, name: string, calls: readonly CallInfo[]): string[] {
  const node = graph.nodes.find((one) => one.name === name);
  if (!node) return [];
  const own = outputsOf(calls.find((call) => call.name === node.call));
  const values = node.settings.find(([key]) => key === "values")?.[1];
  const made = node.call === "Convert" && values && "map" in values ? values.map.map(([key]) => key) : [];
  const schema = node.settings.find(([key]) => key === "schema")?.[1];
  const properties = schema && "map" in schema ? schema.map.find(([key]) => key === "properties")?.[1] : undefined;
  const taken = node.call === "Extract" && properties && "map" in properties ? properties.map.map(([key]) => key) : [];
  return [...new Set([...own, ...made, ...taken])];
}

export function referencesFor(graph: Graph, name: string, calls: readonly CallInfo[]): Reference[] {
  const state = graph.state.map((one) => one.name).filter(Boolean);
  const call = graph.nodes.find((node) => node.name === name)?.call;
  return [
    ...state.map((one): Reference => ({ text: `\${state:${one}}`, kind: "state", name: one })),
    ...graph.inputs.map((one): Reference => ({ text: `\${input:${one}}`, kind: "input", name: one })),
    ...earlier(graph, name).flatMap((one) =>
      outputPaths(graph, one, calls).map((path): Reference => ({
        text: `\${node:${one}/${path}}`,
        kind: "node",
        name: `${one} · ${path}`,
      })),
    ),
    { text: "${sys:question}", kind: "sys", name: "question" },
    { text: "${env:NAME}", kind: "env", name: "NAME" },
    ...(call === "ForEach"
      ? ["value", "index", "key"].map((one): Reference => ({ text: `\${item:${one}}`, kind: "item", name: one }))
      : []),
  ];
}
