/** What a step puts out: its kind's outputs, and what its settings and the tool or graph behind it add to them. */
import type { CallInfo } from "@/shared/api/shapes";
import { type Plain, plainOf } from "@/shared/yaml/plain";
import { sourceOf } from "@/shared/yaml/source";
import { own } from "@/shared/own";
import { fieldOf, type Graph, graphOf, type GraphNode, textOf } from "./graph";
import { resolved, type Schema } from "./shape";

export type ValueType = "str" | "int" | "float" | "bool" | "list" | "dict" | "any";

export interface Output {
  path: string;
  type: ValueType;
}

export interface Parameter {
  name: string;
  type: ValueType;
  required: boolean;
  description: string;
}

/** What other documents say; undefined while it isn't known. */
export interface Sources {
  tool: (name: string) => { params: Parameter[]; variables: string[] } | undefined;
  graph: (name: string) => { inputs: Parameter[]; state: { name: string; type: ValueType }[] } | undefined;
  /** Names in the environments. */
  env: readonly string[];
}

export const NO_SOURCES: Sources = { tool: () => undefined, graph: () => undefined, env: [] };

const OF_SCHEMA: Record<string, ValueType> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
  object: "dict",
};
const STATE_TYPES: readonly string[] = ["str", "int", "float", "bool", "list", "dict"];

export const typeOfSchema = ({ type }: Schema): ValueType =>
  (typeof type === "string" && own(OF_SCHEMA, type)) || "any";
export const typeOfState = (type: string): ValueType => (STATE_TYPES.includes(type) ? (type as ValueType) : "any");

const entriesOf = (plain: Plain | undefined) => (plain && "map" in plain ? plain.map : []);
const itemsOf = (plain: Plain | undefined) => (plain && "seq" in plain ? plain.seq : []);

/** The variables that a tool's steps take, as paths: `step0/token`. */
export function toolVariables(yaml: string): string[] {
  const root = entriesOf(plainOf(sourceOf(yaml).doc.contents));
  const paths = itemsOf(fieldOf(root, "steps")).flatMap((step, index) =>
    itemsOf(fieldOf(entriesOf(step), "var"))
      .map((variable) => textOf(fieldOf(entriesOf(variable), "name")))
      .filter(Boolean)
      .map((name) => `step${index}/${name}`),
  );
  return [...new Set(paths)];
}

/** The state of a graph that isn't the open one. */
export function graphState(yaml: string): { name: string; type: ValueType }[] {
  try {
    return graphOf(plainOf(sourceOf(yaml).doc.contents)).state.map(({ name, type }) => ({
      name,
      type: typeOfState(type),
    }));
  } catch {
    return [];
  }
}

/** The fields that a JSON Schema in the document describes. */
function described(plain: Plain | undefined, base = "", depth = 0): Output[] {
  return entriesOf(fieldOf(entriesOf(plain), "properties")).flatMap(([name, one]) => {
    const type = typeOfSchema({ type: textOf(fieldOf(entriesOf(one), "type")) });
    return [{ path: base + name, type }, ...(depth < 2 ? described(one, `${base}${name}/`, depth + 1) : [])];
  });
}

function added(node: GraphNode, call: CallInfo, sources: Sources): Output[] {
  const outputs = call.outputs as Schema;
  const open = outputs.additionalProperties === true;
  const settings = Object.entries((call.settings as Schema).properties ?? {});
  return settings.flatMap(([name, schema]): Output[] => {
    const value = fieldOf(node.settings, name);
    if (schema["x-kind"] === "expression" && open) return entriesOf(value).map(([path]) => ({ path, type: "any" }));
    if (schema["x-kind"] === "schema" && open) return described(value);
    if (schema["x-widget"] === "graph" && open)
      return (sources.graph(textOf(value))?.state ?? []).map(({ name: path, type }) => ({ path, type }));
    if (schema["x-widget"] === "tool" && outputs.properties?.variables)
      return (sources.tool(textOf(value))?.variables ?? []).map((path) => ({ path: `variables/${path}`, type: "any" }));
    return [];
  });
}

/** An answer has the type of its question. */
function answered(node: GraphNode): Output[] {
  const kind = textOf(fieldOf(node.settings, "kind")) || "text";
  if (kind === "form")
    return [{ path: "answer", type: "dict" }, ...described(fieldOf(node.settings, "schema"), "answer/")];
  return [{ path: "answer", type: kind === "confirm" ? "bool" : "str" }];
}

/** All that a step puts out, as paths in its output. */
export function outputsOf(graph: Graph, name: string, calls: readonly CallInfo[], sources: Sources): Output[] {
  const node = graph.nodes.find((one) => one.name === name);
  const call = calls.find((one) => one.name === node?.call);
  if (!node || !call) return [];
  if (call.name === "Ask") return answered(node);
  const { properties = {}, $defs = {} } = call.outputs as Schema & { $defs?: Record<string, Schema> };
  const own = Object.entries(properties).map(([path, schema]): Output => ({
    path,
    type: typeOfSchema(resolved(schema, $defs)),
  }));
  const more = added(node, call, sources);
  return [...own, ...more.filter(({ path }) => !own.some((one) => one.path === path))];
}
