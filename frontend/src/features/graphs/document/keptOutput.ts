/** Keeping an output of a step in a new variable, so that a condition can ask about it. */
import { ExactNumber } from "@/shared/json/exact";
import type { Graph, GraphNode } from "./graph";
import { addNamedVariable, type GraphEdit, put, together } from "./graphEdits";
import { freeName, variableFrom } from "./names";
import type { Output, ValueType } from "./outputs";

const NUMBER = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;

/** The type that fits a value that a run gave: a text that is a number can be asked about as one. */
export function typeOfValue(value: unknown): ValueType {
  if (typeof value === "number" || value instanceof ExactNumber) return "float";
  if (typeof value === "string") return NUMBER.test(value) ? "float" : "str";
  if (typeof value === "boolean") return "bool";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" && value !== null ? "dict" : "any";
}

/** What stands at a path in a step's output, as `variables/step1/total`. */
export function valueAt(output: unknown, path: string): unknown {
  let at = output;
  for (const key of path.split("/")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** The outputs of a step that no variable of the graph holds yet. */
export function notKept(graph: Graph, node: GraphNode, outputs: readonly Output[]): Output[] {
  const kept = new Set(
    node.outputs.filter(([name]) => graph.state.some((one) => one.name === name)).map(([, path]) => path),
  );
  return outputs.filter(({ path }) => !kept.has(path));
}

/** A new variable for an output, named after it; `seen` is what the step last put out. */
export function keepOutput(
  graph: Graph,
  node: string,
  { path, type }: Output,
  seen: unknown,
): { name: string; type: ValueType; edit: GraphEdit } {
  const name = freeName(variableFrom(path), new Set(["messages", ...graph.state.map((one) => one.name)]));
  const fits = type === "any" ? typeOfValue(valueAt(seen, path)) : type;
  const held = fits === "any" ? "str" : fits;
  return {
    name,
    type: held,
    edit: together(addNamedVariable(name, held), put(["nodes", node, "outputs", name], path)),
  };
}
