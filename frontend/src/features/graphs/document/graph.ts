/** The meaning of a graph's document: what canvas and panels show. */
import { nodeAt, NOTHING, type Path, type Plain, plainOf, plainResolved } from "@/shared/yaml/plain";
import { type Source, sourceOf, type Unreadable } from "@/shared/yaml/source";
import { COLUMN, type Place, placesFor } from "./geometry";

export { COLUMN, labelWidth, NODE_HEIGHT, NODE_WIDTH, type Place, ROW } from "./geometry";

export const TOP_FIELDS = [
  "name",
  "description",
  "state",
  "inputs",
  "entry",
  "nodes",
  "edges",
  "max_turn",
  "timeout",
  "run_timeout",
  "layout",
  "notes",
] as const;
export const NODE_FIELDS = [
  "call",
  "label",
  "description",
  "settings",
  "outputs",
  "to_user",
  "enable_filling",
  "action_mode",
  "partial_join",
  "repeatable",
] as const;
export const EDGE_FIELDS = [
  "source",
  "target",
  "router",
  "possible_targets",
  "filter",
  "group",
  "label",
  "description",
] as const;
export const VARIABLE_FIELDS = ["name", "type", "update", "description"] as const;
export const TYPES = ["str", "int", "float", "bool", "list", "dict"] as const;
export const UPDATES = ["overwrite", "append", "append_messages", "add", "merge", "union", "max", "min"] as const;
export const LIMITS = ["max_turn", "timeout", "run_timeout"] as const;

export interface GraphNode extends Place {
  name: string;
  call: string;
  label: string;
  description: string;
  settings: [string, Plain][];
  outputs: [string, string][];
  mode: "any" | "all";
  partialJoin: boolean;
  repeatable: boolean;
  toUser: boolean;
  filling: boolean;
  /** Whether the document says where it stands. */
  placed: boolean;
}

export interface GraphEdge {
  index: number;
  source: string;
  /** One for a plain edge, the possible ones for a condition. */
  targets: string[];
  router: string | null;
  filter: string;
  group: string;
}

export interface StateVariable {
  name: string;
  type: string;
  update: string;
  description: string;
}

export interface GraphNote extends Place {
  index: number;
  width: number;
  height: number;
  text: string;
}

export interface Graph {
  name: string;
  description: string;
  state: StateVariable[];
  inputs: string[];
  entry: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
  notes: GraphNote[];
  limits: Record<(typeof LIMITS)[number], string>;
  /** Where `end` is drawn, when an edge leads there. */
  end: Place | null;
}

export type Reading = { ok: true; graph: Graph } | { ok: false; reason: Unreadable; graph?: Graph };

class ShapeError extends Error {
  constructor(readonly path: Path) {
    super();
  }
}

const mapOf = (plain: Plain | undefined, path: Path): [string, Plain][] => {
  if (!plain || "nothing" in plain) return [];
  if (!("map" in plain)) throw new ShapeError(path);
  return plain.map;
};
const listOf = (plain: Plain | undefined, path: Path): Plain[] => {
  if (!plain || "nothing" in plain) return [];
  if (!("seq" in plain)) throw new ShapeError(path);
  return plain.seq;
};

/** The text of a scalar; empty for anything else. */
export function textOf(plain: Plain | undefined): string {
  if (!plain) return "";
  if ("text" in plain) return plain.text;
  if ("number" in plain) return plain.number;
  return "bool" in plain ? String(plain.bool) : "";
}

export function fieldOf(entries: readonly [string, Plain][], name: string): Plain | undefined {
  return entries.find(([key]) => key === name)?.[1];
}

const numberOf = (plain: Plain | undefined, otherwise: number): number => {
  const number = plain && "number" in plain ? Number(plain.number) : NaN;
  return Number.isFinite(number) ? number : otherwise;
};

function readNode(name: string, plain: Plain, place: Plain | undefined): GraphNode {
  const path = ["nodes", name];
  const found = mapOf(plain, path);
  const of = (field: string) => fieldOf(found, field);
  const flag = (field: string, otherwise: boolean) => {
    const value = of(field);
    return value && "bool" in value ? value.bool : otherwise;
  };
  const settings = mapOf(of("settings"), [...path, "settings"]);
  const at = place && "map" in place ? place.map : null;
  return {
    name,
    call: textOf(of("call")),
    label: textOf(of("label")),
    description: textOf(of("description")),
    settings,
    outputs: mapOf(of("outputs"), [...path, "outputs"]).map(([key, value]) => [key, textOf(value)]),
    mode: textOf(of("action_mode") ?? fieldOf(settings, "action_mode")) === "all" ? "all" : "any",
    partialJoin: flag("partial_join", false),
    repeatable: flag("repeatable", true),
    toUser: flag("to_user", false),
    filling: flag("enable_filling", false),
    x: numberOf(at ? fieldOf(at, "x") : undefined, 0),
    y: numberOf(at ? fieldOf(at, "y") : undefined, 0),
    placed: at !== null,
  };
}

function readEdge(plain: Plain, index: number): GraphEdge {
  const found = mapOf(plain, ["edges", index]);
  const of = (field: string) => fieldOf(found, field);
  const router = of("router");
  return {
    index,
    source: textOf(of("source")),
    targets: router
      ? listOf(of("possible_targets"), ["edges", index, "possible_targets"]).map(textOf)
      : [textOf(of("target"))].filter(Boolean),
    router: router ? textOf(router) : null,
    filter: textOf(of("filter")),
    group: textOf(of("group")),
  };
}

function readNote(plain: Plain, index: number): GraphNote {
  const found = mapOf(plain, ["notes", index]);
  const of = (field: string) => fieldOf(found, field);
  return {
    index,
    x: numberOf(of("x"), 0),
    y: numberOf(of("y"), -96),
    width: numberOf(of("width"), 240),
    height: numberOf(of("height"), 72),
    text: textOf(of("text")),
  };
}

function endPlace(nodes: GraphNode[], edges: GraphEdge[], place: Plain | undefined): Place | null {
  const before = edges.filter(({ targets }) => targets.includes("end")).map(({ source }) => source);
  if (before.length === 0) return null;
  const at = place && "map" in place ? place.map : [];
  const sources = nodes.filter(({ name }) => before.includes(name));
  const x = Math.max(0, ...sources.map((node) => node.x)) + COLUMN;
  const y = sources.length ? Math.min(...sources.map((node) => node.y)) : 0;
  return { x: numberOf(fieldOf(at, "x"), x), y: numberOf(fieldOf(at, "y"), y) };
}

/** Gives places to the steps that have none. */
function placed(nodes: GraphNode[], edges: readonly GraphEdge[], entry: string): GraphNode[] {
  if (nodes.every((node) => node.placed)) return nodes;
  const given = new Map(nodes.filter((node) => node.placed).map((node) => [node.name, node]));
  const places = placesFor(
    nodes.map(({ name }) => name),
    edges,
    entry,
    given,
  );
  return nodes.map((node) => ({ ...node, ...places.get(node.name) }));
}

export function graphOf(plain: Plain): Graph {
  const found = mapOf(plain, []);
  const of = (field: string) => fieldOf(found, field);
  const places = mapOf(of("layout"), ["layout"]);
  const edges = listOf(of("edges"), ["edges"]).map(readEdge);
  const nodes = placed(
    mapOf(of("nodes"), ["nodes"]).map(([name, node]) => readNode(name, node, fieldOf(places, name))),
    edges,
    textOf(of("entry")),
  );
  return {
    name: textOf(of("name")),
    description: textOf(of("description")),
    state: listOf(of("state"), ["state"]).map((item, index) => {
      const entries = mapOf(item, ["state", index]);
      return {
        name: textOf(fieldOf(entries, "name")),
        type: textOf(fieldOf(entries, "type")) || "str",
        update: textOf(fieldOf(entries, "update")) || "overwrite",
        description: textOf(fieldOf(entries, "description")),
      };
    }),
    inputs: listOf(of("inputs"), ["inputs"]).map(textOf),
    entry: textOf(of("entry")),
    nodes,
    edges,
    notes: listOf(of("notes"), ["notes"]).map(readNote),
    limits: {
      max_turn: textOf(of("max_turn")),
      timeout: textOf(of("timeout")),
      run_timeout: textOf(of("run_timeout")),
    },
    end: endPlace(nodes, edges, fieldOf(places, "end")),
  };
}

/** The path of something in a document, as problems name it: `nodes.a.settings.text`. */
export function pathText(path: Path): string {
  return path.join(".");
}

function lookedAt(source: Source, { why }: Unreadable): Graph | undefined {
  const plain = why === "alias" || why === "tag" ? plainResolved(source.doc) : null;
  try {
    return plain ? graphOf(plain) : undefined;
  } catch {
    return undefined;
  }
}

let last: { text: string; reading: Reading } | null = null;

/** Reads a document for the canvas, or says why it can't be edited there. */
export function readGraph(text: string): Reading {
  if (last?.text === text) return last.reading;
  const reading = read(text);
  last = { text, reading };
  return reading;
}

function read(text: string): Reading {
  const source = sourceOf(text);
  const reason = source.trouble();
  if (reason) return { ok: false, reason, graph: lookedAt(source, reason) };
  try {
    return { ok: true, graph: graphOf(plainOf(source.doc.contents) ?? NOTHING) };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const node = nodeAt(source.doc.contents, error.path);
    return {
      ok: false,
      reason: { why: "shape", path: pathText(error.path), line: source.lineOf(node?.range?.[0] ?? 0) },
    };
  }
}

/** The text of a definition, which may have come as an object. */
export function definitionText(definition: unknown): string {
  return typeof definition === "string" ? definition : `${JSON.stringify(definition, null, 2)}\n`;
}
