import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyEdits } from "@/shared/yaml/edit";
import { plainOf, Raw } from "@/shared/yaml/plain";
import { sourceOf } from "@/shared/yaml/source";
import { copyText, paste } from "./clipboard";
import { readGraph } from "./graph";
import {
  addNode,
  addVariable,
  connect,
  editGraph,
  type GraphEdit,
  makeCondition,
  movePlaces,
  put,
  removeThings,
  renameNode,
  setInput,
} from "./graphEdits";
import { tidyPlaces } from "./tidy";

const DEMOS = join(import.meta.dirname, "../../../../../graph_app/demo_graphs");
const demos = readdirSync(DEMOS)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => [name, readFileSync(join(DEMOS, name), "utf8")] as const);
const desk = readFileSync(join(DEMOS, "order_desk.yaml"), "utf8");

function edited(text: string, edit: GraphEdit): string {
  const result = editGraph(text, edit);
  if (!result.ok) throw new Error(result.why);
  return result.text;
}

function graph(text: string) {
  const reading = readGraph(text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.reason));
  return reading.graph;
}

/** Lines that are in one text only. */
function changed(before: string, after: string): string[] {
  const old = new Set(before.split("\n"));
  return after.split("\n").filter((line) => !old.has(line));
}

describe("edits of a graph", () => {
  it("move a step by its own line", () => {
    const text = edited(desk, movePlaces([{ id: "review", x: 300, y: -24 }]));
    expect(changed(desk, text)).toEqual(["  review: {x: 300, y: -24}"]);
    expect(text.split("\n")).toHaveLength(desk.split("\n").length);
  });

  it.each(demos)("tidy %s without touching more than the places of steps and notes", (_, demo) => {
    const text = edited(demo, movePlaces(tidyPlaces(graph(demo), "else")));
    const words = (whole: string) => whole.split("notes:")[1]!.replace(/x: -?\d+, y: -?\d+/g, "");
    expect(text.split("layout:")[0]).toBe(demo.split("layout:")[0]);
    expect(words(text)).toBe(words(demo));
  });

  it("add a step, wired", () => {
    const text = edited(
      desk,
      addNode({ name: "pause", call: "Delay", settings: { seconds: new Raw("1") }, x: 816, y: 80, from: "reply" }),
    );
    expect(changed(desk, text)).toEqual([
      "  pause:",
      "    call: Delay",
      "      seconds: 1",
      "  - {source: reply, target: pause}",
      "  pause: {x: 816, y: 80}",
    ]);
    expect(graph(text).edges.at(-1)).toMatchObject({ source: "reply", targets: ["pause"] });
  });

  it("leave no wire that is always followed beside a condition to the same step", () => {
    const text = `name: a
nodes:
  one: {call: Delay}
  two: {call: Ask}
  three: {call: LLM}
edges:
  - {source: one, target: three}
  - {source: one, target: two}
  - {source: two, target: three}
`;
    const now = graph(edited(text, makeCondition(1, 'state.n > 1 ? "two" : "three"', ["two", "three"])));
    expect(now.edges.map(({ source, targets }) => [source, ...targets])).toEqual([
      ["one", "two", "three"],
      ["two", "three"],
    ]);
    expect(now.edges[0]!.router).toBe('state.n > 1 ? "two" : "three"');
  });

  it("make a group with its first value", () => {
    const text = "name: a\nnodes:\n  one:\n    call: Tool\n    settings:\n      params:\n        x: 1\nedges: []\n";
    const first = edited(text, put(["nodes", "one", "outputs", "total"], "variables/step0/total"));
    expect(changed(text, first)).toEqual(["    outputs:", "      total: variables/step0/total"]);
    const second = edited(first, put(["nodes", "one", "outputs", "status"], "text"));
    expect(changed(first, second)).toEqual(["      status: text"]);
    const alone = edited("name: a\nnodes:\n  one: {call: LLM}\n", put(["nodes", "one", "settings", "tools", "x"], "y"));
    expect(graph(alone).nodes[0]!.name).toBe("one");
  });

  it("begin an empty graph", () => {
    const text = edited(
      "name: a\nnodes: {}\nedges: []\n",
      addNode({ name: "x", call: "Ask", settings: null, x: 0, y: 0 }),
    );
    expect(text).toBe("name: a\nentry: x\nnodes:\n  x:\n    call: Ask\nedges: []\nlayout:\n  x: {x: 0, y: 0}\n");
    expect(edited(text, connect("x", "x"))).toContain("edges:\n  - {source: x, target: x}\n");
  });

  it("rename a step: edges, targets, entry, layout, references and expressions follow", () => {
    const start = edited(
      desk,
      put(["nodes", "reply", "settings", "system_prompt"], "Was: ${node:review/answer} $${node:review/answer}"),
    );
    const text = edited(start, renameNode("review", "approve"));
    expect(text).not.toMatch(/(?<!\$\$\{node:)\breview\b/);
    expect(text).toContain("${node:approve/answer} $${node:review/answer}");
    expect(text).toContain('\'state.total > 100.0 ? "approve" : "reply"\', possible_targets: [approve, reply]');
    expect(text).toContain("# A router with an approval");
    expect(graph(edited(text, renameNode("look_up", "find"))).entry).toBe("find");
  });

  it("rename in expressions over steps", () => {
    const [, pages] = demos.find(([name]) => name.startsWith("all_pages"))!;
    const text = edited(pages, renameNode("read_page", "fetch"));
    expect(text).toContain("'steps.fetch.variables.step0.names'");
    expect(text).toContain("${node:fetch/variables/step0/next_page}");
    expect(text).toContain('"summary" : "fetch"');
  });

  it("take a step out with its edges", () => {
    const text = edited(desk, removeThings(["review"], [], []));
    const now = graph(text);
    expect(now.nodes.map(({ name }) => name)).toEqual(["look_up", "reply"]);
    expect(now.edges).toMatchObject([{ source: "look_up", targets: ["reply"], router: null }]);
    expect(text).not.toContain("review");
  });

  it("take everything out", () => {
    const all = graph(desk);
    const names = all.nodes.map(({ name }) => name);
    const notes = all.notes.map(({ index }) => index);
    const now = graph(edited(desk, removeThings(names, [], notes)));
    expect([now.nodes, now.edges, now.notes]).toEqual([[], [], []]);
  });

  it("make an edge a condition and change it", () => {
    const text = edited(desk, makeCondition(1, 'state.approved == true ? "reply" : "look_up"', ["reply", "look_up"]));
    expect(graph(text).edges[1]).toMatchObject({ targets: ["reply", "look_up"] });
    expect(changed(desk, text)).toHaveLength(1);
  });

  it("change variables and inputs", () => {
    let text = edited(desk, addVariable);
    expect(changed(desk, text)).toEqual(["  - {name: value, type: str, update: overwrite}"]);
    text = edited(text, setInput("value", true));
    expect(graph(text).inputs).toEqual(["order_id", "value"]);
    expect(edited(edited(text, setInput("value", false)), setInput("order_id", false))).not.toContain("inputs:");
  });

  it("put a setting into a flow map and take it out again", () => {
    const text = edited(desk, put(["nodes", "look_up", "settings", "params", "lang"], "${state:status}"));
    expect(text).toContain('{order_id: "${state:order_id}", lang: "${state:status}"}');
    expect(edited(text, put(["nodes", "look_up", "settings", "params", "lang"], null))).toBe(desk);
  });

  it("copy and paste, with names that are free and references that follow", () => {
    const copied = copyText(desk, new Set(["look_up", "review", "reply"]));
    const pasted = paste(graph(desk), plainOf(sourceOf(desk).doc.contents), copied, { x: 0, y: 400 })!;
    expect(pasted.names).toEqual(["look_up_2", "review_2", "reply_2"]);
    const result = applyEdits(desk, pasted.edits);
    expect(result.ok).toBe(true);
    const now = graph(result.ok ? result.text : "");
    expect(now.edges.slice(2)).toMatchObject([
      { source: "look_up_2", targets: ["review_2", "reply_2"] },
      { source: "review_2", targets: ["reply_2"] },
    ]);
    expect(now.edges[2]!.router).toContain('"review_2"');
    expect(now.nodes.find(({ name }) => name === "review_2")).toMatchObject({ x: 272, y: 400 });
    expect(paste(graph(desk), plainOf(sourceOf(desk).doc.contents), "hello: [", { x: 0, y: 0 })).toBeNull();
  });

  it("work in JSON too", () => {
    const json = JSON.stringify(
      { name: "a", entry: "x", nodes: { x: { call: "Ask" } }, edges: [], layout: {} },
      null,
      2,
    );
    const text = edited(json, addNode({ name: "y", call: "Delay", settings: null, x: 8, y: 8 }));
    expect(graph(text).nodes.map(({ name }) => name)).toEqual(["x", "y"]);
  });
});
