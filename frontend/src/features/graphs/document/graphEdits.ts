/** Edits in the words of a graph: each becomes edits of the text, which change their own lines only. */
import { isCollection } from "yaml";
import { applyEdits, type Edit, type EditResult } from "@/shared/yaml/edit";
import { expectation } from "@/shared/yaml/expectation";
import { Flow, nodeAt, type Path, type Plain, plainOf, Raw, type Value, valueOf } from "@/shared/yaml/plain";
import { sourceOf } from "@/shared/yaml/source";
import { readCondition, conditionText } from "./condition";
import {
  COLUMN,
  EDGE_FIELDS,
  type Graph,
  NODE_FIELDS,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Place,
  readGraph,
  ROW,
  TOP_FIELDS,
  VARIABLE_FIELDS,
} from "./graph";
import { freeName, type Rewrite, stepRewrite, textsIn, variableRewrite } from "./names";

export type GraphEdit = (graph: Graph, root: Plain) => Edit[];

const found = (root: Plain, path: Path): Plain | undefined => {
  let at: Plain | undefined = root;
  for (const part of path) {
    if (at && "map" in at) at = at.map.find(([key]) => key === part)?.[1];
    else if (at && "seq" in at && typeof part === "number") at = at.seq[part];
    else return undefined;
  }
  return at;
};

function orderFor(path: Path): readonly string[] {
  if (path.length === 1) return TOP_FIELDS;
  if (path[0] === "nodes" && path.length === 3) return NODE_FIELDS;
  if (path[0] === "edges" && path.length === 3) return EDGE_FIELDS;
  return path[0] === "state" && path.length === 3 ? VARIABLE_FIELDS : [];
}

const whole = (value: number) => new Raw(String(Math.round(value)));

/** Sets a value, whatever stood there; null takes it out. */
export function putting(root: Plain, path: Path, value: Value | null): Edit[] {
  const old = found(root, path);
  const parent = found(root, path.slice(0, -1));
  if (value === null) {
    if (!old) return [];
    // A list's items and what stands in them stay, as do groups in groups: they are taken out by themselves.
    const alone = path.length > 3 && path.length < 6 && parent && "map" in parent && parent.map.length === 1;
    return [{ op: "remove", path: alone ? path.slice(0, -1) : path }];
  }
  const group = path.slice(0, -1);
  // A group that isn't there yet is made with its first value.
  if (!old && group.length > 2 && !parent) return putting(root, group, { [String(path.at(-1))]: value });
  const order = orderFor(path);
  const kept = old && order.length === 0 && parent && "map" in parent ? parent.map.map(([key]) => key) : order;
  const set: Edit = { op: "set", path, value, order: kept };
  const scalar = typeof value === "string" || typeof value === "boolean" || value instanceof Raw;
  const compound = old && ("map" in old || "seq" in old);
  if (!old || (!compound && scalar) || "nothing" in old) return [set];
  const index = path.at(-1);
  if (typeof index === "number")
    return [
      { op: "remove", path },
      { op: "insert", path: path.slice(0, -1), index, value },
    ];
  return [{ op: "remove", path }, set];
}

export const put =
  (path: Path, value: Value | null): GraphEdit =>
  (_, root) =>
    putting(root, path, value);

/** Adds an item to the end of a list, which is made when it isn't there. */
function adding(root: Plain, path: Path, value: Value): Edit {
  const list = found(root, path);
  if (!list || "nothing" in list) return { op: "set", path, value: [value], order: orderFor(path) };
  return { op: "insert", path, index: "seq" in list ? list.seq.length : 0, value };
}

export const append =
  (path: Path, value: Value): GraphEdit =>
  (_, root) => [adding(root, path, value)];

export const insert =
  (path: Path, index: number, value: Value): GraphEdit =>
  (_, root) => [index === 0 && !found(root, path) ? adding(root, path, value) : { op: "insert", path, index, value }];

export const move =
  (path: Path, from: number, to: number): GraphEdit =>
  () => [{ op: "move", path, from, to }];

export const renameKey =
  (path: Path, key: string): GraphEdit =>
  () => [{ op: "rename", path, key }];

/** Several edits as one. */
export const together =
  (...edits: readonly GraphEdit[]): GraphEdit =>
  (graph, root) =>
    edits.flatMap((edit) => edit(graph, root));

export const remove =
  (path: Path): GraphEdit =>
  () => [{ op: "remove", path }];

/** Where `id` stands: a step, `end` or `note N`. */
export const movePlaces =
  (places: readonly (Place & { id: string })[]): GraphEdit =>
  (graph, root) => {
    const changes: { path: Path; value: Raw }[] = [];
    const fresh: [string, Value][] = [];
    for (const { id, x, y } of places) {
      const note = /^note (\d+)$/.exec(id);
      const base: Path = note ? ["notes", Number(note[1])] : ["layout", id];
      const known = found(root, base);
      const exact = known && "map" in known && ["x", "y"].every((key) => found(known, [key]));
      if (exact) changes.push({ path: [...base, "x"], value: whole(x) }, { path: [...base, "y"], value: whole(y) });
      else if (!note) fresh.push([id, new Flow({ x: whole(x), y: whole(y) })]);
    }
    const odd = fresh.filter(([id]) => found(root, ["layout", id]));
    return [
      ...(changes.length ? [{ op: "texts" as const, changes }] : []),
      ...odd.map(([id]): Edit => ({ op: "remove", path: ["layout", id] })),
      ...(fresh.length && graph ? [{ op: "add" as const, path: ["layout"], entries: fresh, order: TOP_FIELDS }] : []),
    ];
  };

export const resizeNote =
  (index: number, size: Place & { width: number; height: number }): GraphEdit =>
  (_, root) =>
    (["x", "y", "width", "height"] as const).flatMap((key) => putting(root, ["notes", index, key], whole(size[key])));

export const addNote =
  (place: Place, text: string): GraphEdit =>
  (_, root) => [
    adding(
      root,
      ["notes"],
      new Flow({ x: whole(place.x), y: whole(place.y), width: whole(240), height: whole(72), text }),
    ),
  ];

/** A place near the wanted one where nothing stands. */
export function freePlace(graph: Graph, { x, y }: Place): Place {
  const taken = (at: Place) =>
    graph.nodes.some((node) => Math.abs(node.x - at.x) < NODE_WIDTH + 16 && Math.abs(node.y - at.y) < NODE_HEIGHT + 16);
  const at = { x: Math.round(x / 8) * 8, y: Math.round(y / 8) * 8 };
  while (taken(at)) at.y += ROW;
  return at;
}

export const besides = (graph: Graph, from: string): Place => {
  const source = graph.nodes.find(({ name }) => name === from);
  return freePlace(graph, source ? { x: source.x + COLUMN, y: source.y } : { x: 0, y: 0 });
};

function connecting(graph: Graph, root: Plain, source: string, target: string): Edit[] {
  const known = graph.edges.some((edge) => edge.source === source && edge.targets.includes(target));
  return known ? [] : [adding(root, ["edges"], new Flow({ source, target }))];
}

export const connect =
  (source: string, target: string): GraphEdit =>
  (graph, root) =>
    connecting(graph, root, source, target);

export interface NewNode extends Place {
  name: string;
  call: string;
  settings: { [key: string]: Value } | null;
  /** What else it is to have. */
  more?: { [key: string]: Value };
  from?: string;
}

export const addNode =
  ({ name, call, settings, more, x, y, from }: NewNode): GraphEdit =>
  (graph, root) => [
    {
      op: "add",
      path: ["nodes"],
      entries: [[name, { call, ...(settings ? { settings } : {}), ...more }]],
      order: TOP_FIELDS,
    },
    { op: "add", path: ["layout"], entries: [[name, new Flow({ x: whole(x), y: whole(y) })]], order: TOP_FIELDS },
    ...(from ? connecting(graph, root, from, name) : []),
    ...(graph.nodes.length === 0 || graph.entry === "" ? putting(root, ["entry"], name) : []),
  ];

/** Takes steps, edges and notes out, and with a step its edges and its place. */
export const removeThings =
  (names: readonly string[], edges: readonly number[], notes: readonly number[]): GraphEdit =>
  (graph, root) => {
    const gone = new Set(names);
    const dead = new Set(edges);
    const changed: Edit[] = [];
    for (const edge of graph.edges) {
      if (gone.has(edge.source)) dead.add(edge.index);
      if (dead.has(edge.index) || !edge.targets.some((target) => gone.has(target))) continue;
      const left = edge.targets.filter((target) => !gone.has(target));
      if (left.length === 0) dead.add(edge.index);
      else changed.push(...withoutTargets(root, edge.index, edge.router ?? "", left));
    }
    const paths: Path[] = [
      ...names.filter((name) => found(root, ["nodes", name])).map((name): Path => ["nodes", name]),
      ...names.filter((name) => found(root, ["layout", name])).map((name): Path => ["layout", name]),
      ...[...dead].map((index): Path => ["edges", index]),
      ...notes.map((index): Path => ["notes", index]),
    ];
    const heir = graph.nodes.find(({ name }) => !gone.has(name));
    const entry = gone.has(graph.entry) && heir ? putting(root, ["entry"], heir.name) : [];
    return [...changed, ...entry, ...(paths.length ? [{ op: "removeAll" as const, paths }] : [])];
  };

/** A condition that has lost targets: rows that led there go; when one target is left, the edge is a plain one. */
function withoutTargets(root: Plain, index: number, router: string, left: string[]): Edit[] {
  const base: Path = ["edges", index];
  const condition = readCondition(router);
  if (left.length === 1)
    return [
      { op: "remove", path: [...base, "router"] },
      { op: "remove", path: [...base, "possible_targets"] },
      { op: "set", path: [...base, "target"], value: left[0]!, order: EDGE_FIELDS },
    ];
  const targets = putting(root, [...base, "possible_targets"], new Flow(left));
  if (!condition) return targets;
  const branches = condition.branches.filter(({ target }) => left.includes(target));
  const otherwise = left.includes(condition.otherwise) ? condition.otherwise : left.at(-1)!;
  return [...targets, ...putting(root, [...base, "router"], conditionText({ branches, otherwise }))];
}

/** Makes an edge a plain one, or one with an expression that picks its targets. */
export const makePlain =
  (index: number, target: string): GraphEdit =>
  (_, root) =>
    withoutTargets(root, index, "", [target]);

/** Plain edges that lead from where an edge begins to one of some targets: beside a condition they would always be followed. */
export function overlaid(graph: Graph, index: number, targets: readonly string[]): number[] {
  const own = graph.edges.find((edge) => edge.index === index);
  return graph.edges
    .filter(
      (edge) =>
        edge.index !== index &&
        edge.source === own?.source &&
        edge.router === null &&
        edge.filter === "" &&
        edge.targets.length === 1 &&
        targets.includes(edge.targets[0]!),
    )
    .map((edge) => edge.index);
}

/** Makes an edge branch; plain edges to the same targets go, or the steps would run whatever the condition says. */
export const makeCondition =
  (index: number, router: string, targets: readonly string[]): GraphEdit =>
  (graph, root) => {
    const base: Path = ["edges", index];
    return [
      ...(found(root, [...base, "target"]) ? [{ op: "remove" as const, path: [...base, "target"] }] : []),
      ...(found(root, [...base, "filter"]) ? [{ op: "remove" as const, path: [...base, "filter"] }] : []),
      ...putting(root, [...base, "router"], router),
      ...putting(root, [...base, "possible_targets"], new Flow([...targets])),
      ...overlaid(graph, index, targets)
        .sort((a, b) => b - a)
        .map((other): Edit => ({ op: "remove", path: ["edges", other] })),
    ];
  };

/** Texts of the whole document that follow a new name. */
function followed(graph: Graph, root: Plain, rewriteOf: (path: Path, call: string | undefined) => Rewrite): Edit[] {
  const calls = new Map(graph.nodes.map(({ name, call }) => [name, call]));
  const changes = [...textsIn(root, [])].flatMap(({ path, text }) => {
    const rewrite = rewriteOf(path, calls.get(String(path[1])));
    const value = rewrite.text(text);
    return value === text ? [] : [{ path, value, source: rewrite.source }];
  });
  return changes.length ? [{ op: "texts", changes }] : [];
}

/** Gives a step another name; everything that says it follows. */
export const renameNode =
  (from: string, to: string): GraphEdit =>
  (graph, root) => [
    ...followed(graph, root, (path, call) => stepRewrite(path, call, from, to)),
    { op: "rename", path: ["nodes", from], key: to },
    ...(found(root, ["layout", from]) ? [{ op: "rename" as const, path: ["layout", from], key: to }] : []),
  ];

/** Gives a state variable another name; everything that says it follows. */
export const renameVariable =
  (index: number, to: string): GraphEdit =>
  (graph, root) => {
    const from = graph.state[index]?.name ?? "";
    const outputs = graph.nodes.filter((node) => node.outputs.some(([key]) => key === from));
    return [
      ...(from ? followed(graph, root, (path, call) => variableRewrite(path, call, from, to)) : []),
      ...putting(root, ["state", index, "name"], to),
      ...outputs.map(({ name }): Edit => ({ op: "rename", path: ["nodes", name, "outputs", from], key: to })),
    ];
  };

/** Whether a state variable is asked for at the start. */
export const setInput =
  (name: string, on: boolean): GraphEdit =>
  (graph, root) => {
    const at = graph.inputs.indexOf(name);
    if (on === at >= 0) return [];
    if (on) {
      const list = found(root, ["inputs"]);
      return list && "seq" in list
        ? [adding(root, ["inputs"], name)]
        : [{ op: "set", path: ["inputs"], value: new Flow([name]), order: TOP_FIELDS }];
    }
    return [{ op: "remove", path: graph.inputs.length === 1 ? ["inputs"] : ["inputs", at] }];
  };

export const addNamedVariable =
  (name: string, type: string): GraphEdit =>
  (_, root) => [adding(root, ["state"], new Flow({ name, type, update: "overwrite" }))];

export const addVariable: GraphEdit = (graph, root) => {
  const name = freeName("value", new Set(graph.state.map((one) => one.name)));
  return addNamedVariable(name, "str")(graph, root);
};

/** Settings may nest deeper than single places can be edited in; then the nearest field around is written anew. */
function rewriting(text: string, edit: Edit): EditResult {
  const refused: EditResult = { ok: false, why: "layout" };
  if (!("path" in edit) || edit.path[0] !== "nodes" || edit.path[2] !== "settings") return refused;
  const { doc } = sourceOf(text);
  const before = plainOf(doc.contents);
  const wanted = expectation(before, edit);
  for (let depth = edit.path.length; depth > 2; depth -= 1) {
    const path = edit.path.slice(0, depth);
    const value = found(wanted, path);
    const holder = found(before, path.slice(0, -1));
    if (typeof path.at(-1) === "number" || !value || !holder || !("map" in holder)) continue;
    const node = nodeAt(doc.contents, path);
    const flow = isCollection(node) && node.flow;
    const order = path.length === 3 ? NODE_FIELDS : holder.map.map(([key]) => key);
    const result = applyEdits(text, [
      ...(found(before, path) ? [{ op: "remove" as const, path }] : []),
      { op: "set", path, value: flow ? new Flow(valueOf(value)) : valueOf(value), order },
    ]);
    if (result.ok) return result;
  }
  return refused;
}

/** Makes an edit in the text, or refuses it and leaves the text. */
export function editGraph(text: string, edit: GraphEdit): EditResult {
  const reading = readGraph(text);
  if (!reading.ok) return { ok: false, why: "unreadable" };
  let now = text;
  for (const one of edit(reading.graph, plainOf(sourceOf(text).doc.contents))) {
    let result = applyEdits(now, [one]);
    if (!result.ok) result = rewriting(now, one);
    if (!result.ok) return result;
    now = result.text;
  }
  return { ok: true, text: now };
}

/** The line and column at which something of the document stands; its nearest parent's when it doesn't exist. */
export function placeOfPath(text: string, path: Path): { line: number; column: number } {
  const source = sourceOf(text);
  for (let n = path.length; n > 0; n -= 1) {
    const range = nodeAt(source.doc.contents, path.slice(0, n))?.range;
    if (range) return { line: source.lineOf(range[0]), column: source.column(range[0]) + 1 };
  }
  return { line: 1, column: 1 };
}
