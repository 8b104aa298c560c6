/** What can be written at a caret in a graph: fields, names of what exists, settings by the schema of their kind. */
import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import type { CallInfo } from "@/shared/api/shapes";
import { type CompletionPorts, type Field, type Place, yamlCompletions } from "@/shared/editor/yaml/completing";
import type { Plain } from "@/shared/yaml/plain";
import {
  EDGE_FIELDS,
  fieldOf,
  type Graph,
  NODE_FIELDS,
  textOf,
  TOP_FIELDS,
  TYPES,
  UPDATES,
  VARIABLE_FIELDS,
} from "../../document/graph";
import { own } from "@/shared/own";
import { outputsOf, type Parameter, type Sources, type ValueType } from "../../document/outputs";
import { earlier, referencesFor } from "../../document/references";
import { choicesOf, type Definitions, type Schema, type Way, waysOf } from "../../document/shape";

const NOTE_FIELDS = ["x", "y", "width", "height", "text"] as const;
export type AboutField =
  | (typeof TOP_FIELDS)[number]
  | (typeof NODE_FIELDS)[number]
  | (typeof EDGE_FIELDS)[number]
  | (typeof VARIABLE_FIELDS)[number];

export interface GraphPorts {
  graph: () => Graph | null;
  calls: () => readonly CallInfo[];
  sources: () => Sources;
  /** Names of tools, graphs or models. */
  names: (widget: "tool" | "graph" | "model") => readonly string[];
  about: (place: "top" | "node" | "edge" | "variable", field: string) => string;
  typeName: (type: ValueType) => string;
  updateName: (update: string) => string;
}

const OPENING = new Set(["state", "inputs", "nodes", "edges", "layout", "notes", "settings", "outputs"]);
const FLAGS = ["true", "false"];
const words = (list: readonly string[]): Completion[] =>
  [...new Set(list)].map((label) => ({ label, type: "constant" }));
const plainFields = (names: readonly string[]): Field[] => [...new Set(names)].map((name) => ({ name }));

/** The kind of a step, also while the text can't be read. */
function callOf(graph: Graph | null, text: string, name: string): string {
  const known = graph?.nodes.find((node) => node.name === name)?.call;
  if (known) return known;
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trimStart().startsWith(`${name}:`));
  const near = start < 0 ? "" : lines.slice(start, start + 4).join("\n");
  return /\bcall:\s*["']?([\p{L}\p{N}_]+)/u.exec(near)?.[1] ?? "";
}

/** The ways to write what stands at a path below a step's settings. */
function waysAt(schema: Schema, definitions: Definitions, path: readonly string[]): Way[] {
  return path.reduce<Way[]>(
    (ways, part) =>
      ways.flatMap(({ shape, schema: one }) => {
        if (part === "[]") return shape === "list" && one.items ? waysOf(one.items, definitions) : [];
        const { properties, additionalProperties: more } = one;
        const inner = shape === "group" ? (properties?.[part] ?? (typeof more === "object" ? more : null)) : null;
        return inner ? waysOf(inner, definitions) : [];
      }),
    waysOf(schema, definitions),
  );
}

export function graphCompletions(ports: GraphPorts): CompletionSource {
  const variables = () => ["messages", ...(ports.graph()?.state ?? []).map(({ name }) => name)].filter(Boolean);
  const nodes = () => (ports.graph()?.nodes ?? []).map(({ name }) => name);
  const infoOf = ({ text, path }: Place) => {
    const name = callOf(ports.graph(), text, path[1] ?? "");
    return ports.calls().find((call) => call.name === name);
  };
  const inSettings = ({ path }: Place) => path[0] === "nodes" && path[2] === "settings";

  /** What the tool or graph that a step uses asks for. */
  const asked = ({ path }: Place): readonly Parameter[] => {
    const settings = ports.graph()?.nodes.find(({ name }) => name === path[1])?.settings ?? [];
    const named = (setting: string) => textOf(fieldOf(settings as [string, Plain][], setting));
    if (path[3] === "params") return ports.sources().tool(named("tool"))?.params ?? [];
    return path[3] === "inputs" ? (ports.sources().graph(named("graph"))?.inputs ?? []) : [];
  };

  const settingWays = (place: Place, below: readonly string[]): Way[] => {
    const settings = infoOf(place)?.settings as (Schema & { $defs?: Definitions }) | undefined;
    return settings ? waysAt({ ...settings, type: "object" }, settings.$defs ?? {}, below) : [];
  };

  const settingFields = (place: Place): Field[] => {
    if (place.path.length === 4 && asked(place).length > 0)
      return asked(place).map(({ name, type, description }) => ({
        name,
        about: description || ports.typeName(type),
        opens: false,
      }));
    return settingWays(place, place.path.slice(3)).flatMap(({ schema }) =>
      Object.entries(schema.properties ?? {}).map(([name, one]) => ({
        name,
        about: one.title && one.title !== name ? `${one.title}. ${one.description ?? ""}`.trim() : one.description,
        opens: one.type === "object" || one.type === "array" || one["x-kind"] === "schema",
      })),
    );
  };

  const fields: CompletionPorts["fields"] = (place) => {
    const { path } = place;
    const about = (kind: Parameters<GraphPorts["about"]>[0], names: readonly AboutField[]) =>
      names.map((name): Field => ({ name, about: ports.about(kind, name), opens: OPENING.has(name) }));
    const [top, name, field] = path;
    if (path.length === 0) return about("top", TOP_FIELDS);
    if (top === "state" && path.length === 2) return about("variable", VARIABLE_FIELDS);
    if (top === "edges" && path.length === 2) return about("edge", EDGE_FIELDS);
    if (top === "notes" && path.length === 2) return plainFields(NOTE_FIELDS);
    if (top === "layout") return plainFields(path.length === 1 ? [...nodes(), "end"] : ["x", "y"]);
    if (top !== "nodes" || name === undefined) return [];
    if (path.length === 2) return about("node", NODE_FIELDS);
    if (field === "outputs" && path.length === 3) return plainFields(variables());
    return inSettings(place) ? settingFields(place) : [];
  };

  const settingValues = (place: Place): Completion[] => {
    const below = [...place.path.slice(3), ...(place.key === null ? [] : [place.key])];
    const setting = own((infoOf(place)?.settings.properties ?? {}) as Record<string, Schema>, below[0] ?? "");
    const widget = setting?.["x-widget"];
    if (widget === "tools" && below.length === 2) return words(ports.names("tool"));
    if (below.length === 1 && (widget === "tool" || widget === "graph" || widget === "model"))
      return words(ports.names(widget));
    const param = place.path.length === 4 && asked(place).find(({ name }) => name === place.key);
    if (param) return param.type === "bool" ? words(FLAGS) : [];
    return settingWays(place, below).flatMap(({ shape, schema }) => {
      if (shape === "bool") return words(FLAGS);
      if (shape !== "choice") return [];
      return choicesOf(schema).map(({ text }) => ({
        label: text,
        detail: schema["x-options"]?.[text],
        type: "constant",
      }));
    });
  };

  const values: CompletionPorts["values"] = (place) => {
    const { path, key } = place;
    const [top, name, field] = path;
    if (path.length === 0) return key === "entry" ? words(nodes()) : [];
    if (top === "inputs") return words(variables());
    if (top === "state" && key === "type")
      return TYPES.map((label) => ({ label, detail: ports.typeName(label), type: "constant" }));
    if (top === "state" && key === "update")
      return UPDATES.map((label) => ({ label, detail: ports.updateName(label), type: "constant" }));
    if (top === "edges") {
      if (key === "source") return words(nodes());
      return key === "target" || path[2] === "possible_targets" ? words([...nodes(), "end"]) : [];
    }
    if (top !== "nodes" || name === undefined) return [];
    if (path.length === 2 && key === "call")
      return ports.calls().map((call) => ({ label: call.name, detail: call.description, type: "constant" }));
    if (path.length === 2 && key === "action_mode") return words(["any", "all"]);
    if (path.length === 2 && ["to_user", "enable_filling", "partial_join", "repeatable"].includes(key ?? ""))
      return words(FLAGS);
    const graph = ports.graph();
    if (field === "outputs" && graph)
      return outputsOf(graph, name, ports.calls(), ports.sources()).map(({ path: label, type }) => ({
        label,
        detail: ports.typeName(type),
        type: "variable",
      }));
    return inSettings(place) ? settingValues(place) : [];
  };

  const references: CompletionPorts["references"] = ({ path }) => {
    const graph = ports.graph();
    if (!graph) return [];
    const node = path[0] === "nodes" ? (path[1] ?? "") : "";
    return referencesFor(graph, node, ports.calls(), ports.sources()).map(({ text, type }) => ({
      label: text,
      detail: ports.typeName(type),
      type: "variable",
    }));
  };

  const expressions: CompletionPorts["expressions"] = (place, before) => {
    const { path, key } = place;
    const settings = infoOf(place)?.settings.properties as Record<string, Schema> | undefined;
    const isExpression =
      path[0] === "edges"
        ? key === "router" || key === "filter"
        : inSettings(place) && own(settings ?? {}, path[3] ?? key ?? "")?.["x-kind"] === "expression";
    const found = isExpression ? /(?:^|[^\w.])(state|input|steps)\.(\w*)$/.exec(before) : null;
    const graph = ports.graph();
    if (!found || !graph) return null;
    const [, root, word = ""] = found;
    const known =
      root === "state"
        ? variables()
        : root === "input"
          ? graph.inputs
          : path[0] === "nodes"
            ? earlier(graph, path[1] ?? "")
            : nodes();
    const options = words(known.filter((one) => /^[A-Za-z_]\w*$/.test(one)));
    return options.length ? { from: word.length, options } : null;
  };

  return yamlCompletions({ fields, values, references, expressions });
}
