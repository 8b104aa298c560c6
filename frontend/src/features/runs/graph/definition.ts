/** What a run needs to know of its graph: nodes, edges, joins and how state variables are updated. */
import { fromPlain, writeJson } from "@/shared/json/exact";
import { type JoinModes, joinsOf } from "./joins";

export interface GraphNode {
  name: string;
  call: string;
  label: string;
  toUser: boolean;
}

export interface GraphEdge {
  source: string;
  targets: string[];
  group: string;
  index: number;
}

export interface Channel {
  name: string;
  type: string;
  update: string;
  initial: unknown;
}

export interface RunGraph {
  /** The document as it is stored, for the canvas. */
  definition: unknown;
  name: string;
  entry: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  channels: Map<string, Channel>;
  inputs: string[];
  joins: JoinModes;
}

type Plain = Record<string, unknown>;

const isMap = (value: unknown): value is Plain => typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown, otherwise = ""): string => (typeof value === "string" ? value : otherwise);

function emptyOf(type: string): unknown {
  const kind = type.replace(/\[.*$/, "").trim().toLowerCase();
  if (["list", "tuple", "set"].includes(kind)) return [];
  if (kind === "dict") return {};
  if (kind === "int" || kind === "float") return 0;
  if (kind === "bool") return false;
  if (kind === "str") return "";
  return null;
}

function channelsOf(document: Plain): Map<string, Channel> {
  const channels = new Map<string, Channel>([
    ["messages", { name: "messages", type: "list", update: "append_messages", initial: [] }],
  ]);
  for (const one of list(document.state).filter(isMap)) {
    const name = text(one.name);
    const type = text(one.type, "any");
    channels.set(name, {
      name,
      type,
      update: text(one.update, name === "messages" ? "append_messages" : "overwrite"),
      initial: one.default ?? emptyOf(type),
    });
  }
  return channels;
}

function targetsOf(edge: Plain): string[] {
  const targets = Array.isArray(edge.target) ? edge.target : edge.target === undefined ? [] : [edge.target];
  return [...targets, ...list(edge.possible_targets)].map(String);
}

export function graphOf(document: unknown, definition: unknown = document): RunGraph {
  const plain = isMap(document) ? document : {};
  const nodes = Object.entries(isMap(plain.nodes) ? plain.nodes : {}).map(([name, given]): GraphNode => {
    const node = isMap(given) ? given : {};
    return {
      name,
      call: text(node.call),
      label: text(node.label, name),
      toUser: node.to_user === true,
    };
  });
  const edges = list(plain.edges)
    .filter(isMap)
    .map((edge, index): GraphEdge => ({
      source: text(edge.source),
      targets: targetsOf(edge),
      group: text(edge.group, "all"),
      index,
    }));
  const modes = isMap(plain.nodes) ? plain.nodes : {};
  const entry = Array.isArray(plain.entry) ? String(plain.entry[0] ?? "") : text(plain.entry);
  const all = nodes.filter(({ name }) => {
    const node = modes[name];
    return isMap(node) && text(node.action_mode).toLowerCase() === "all";
  });
  return {
    definition,
    name: text(plain.name),
    entry,
    nodes,
    edges,
    channels: channelsOf(plain),
    inputs: list(plain.inputs).map(String),
    joins: joinsOf(edges, entry, new Set(all.map(({ name }) => name))),
  };
}

/** Whether two plain values are the same, numbers by their text. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || writeJson(fromPlain(a)) === writeJson(fromPlain(b));
}
