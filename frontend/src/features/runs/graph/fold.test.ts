import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { graphOf } from "./definition";
import { GraphFold, statusOf, summaries } from "./fold";
import { failedInside } from "./inside";
import { differences, stateAfter, stateBefore, stateNow, update } from "./state";
import { enclosing } from "./visits";

function journal() {
  const events: RunEvent[] = [];
  const add = (
    type: string,
    node: string | null = null,
    visit: string | null = null,
    data: Record<string, unknown> = {},
    path: string[] = [],
  ) =>
    events.push({
      seq: events.length + 1,
      at: new Date(events.length).toISOString(),
      type,
      node,
      visit,
      path,
      data,
    });
  /** A visit whose only edge has a filter: what it makes of the state goes on instead of the state. */
  const filter = (node: string, visit: string, delta: Record<string, unknown>, target: string, state: unknown) => {
    add("node.started", node, visit);
    add("node.finished", node, visit, { delta, routes: [[0, target, state]] });
    add("edge.taken", node, visit, { source: node, target, edge: 0 });
  };
  const run = (node: string, visit: string, delta: Record<string, unknown>, ...targets: string[]) => {
    add("node.started", node, visit);
    add("node.finished", node, visit, { delta });
    for (const target of targets) add("edge.taken", node, visit, { source: node, target, edge: 0 });
  };
  add("run.started", null, null, { kind: "graph", name: "g", revision: 1, inputs: { n: 1 }, mode: "debug" });
  return { events, add, run, filter };
}

const GRAPH = graphOf({
  name: "g",
  state: [
    { name: "n", type: "int", update: "add" },
    { name: "rows", type: "list", update: "append" },
    { name: "last", type: "str" },
  ],
  entry: "a",
  nodes: { a: { call: "Convert" }, b: {}, c: {}, join: { action_mode: "all" } },
  edges: [
    { source: "a", target: "b" },
    { source: "a", target: "c" },
    { source: "b", target: "join" },
    { source: "c", target: "join" },
  ],
});

describe("a fork that begins at a visit that had not ended", () => {
  const failing = () => {
    const made = journal();
    const { add } = made;
    made.run("a", "1", {}, "b");
    add("node.started", "b", "2");
    for (const [visit, node] of [
      ["2/1", "x"],
      ["2/2", "y"],
    ] as const) {
      add("node.started", node, visit, {}, ["b"]);
      add("node.finished", node, visit, { delta: {} }, ["b"]);
    }
    add("node.started", "z", "2/3", {}, ["b"]);
    const error = { kind: "node", message: "no", step: null, node: "z", graph: "inner" };
    add("node.failed", "z", "2/3", { error }, ["b"]);
    add("node.failed", "b", "2", { error: { ...error, node: "b", graph: undefined } });
    add("run.failed", null, null, { error: { ...error, node: "b", graph: undefined } });
    return made;
  };
  const fork = (add: ReturnType<typeof journal>["add"], more: Record<string, unknown> = {}) => {
    add("run.started", null, null, { parent: "p", at_seq: 12, mode: "run", ...more });
    add("debug.restored", null, null, { visit: "2", visits: [{ node: "b", visit: "2" }] });
  };
  const gone = (events: RunEvent[]) =>
    new GraphFold(GRAPH.joins).take(events).order.flatMap(({ id, takenBack }) => (takenBack ? [id] : []));

  it("finds the innermost step that failed", () => {
    const { events } = failing();
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(failedInside(fold, fold.visits.get("2")!)?.error.graph).toBe("inner");
    expect(failedInside(fold, fold.visits.get("1")!)).toBeNull();
  });

  it("is never paused, unless it is debugged", () => {
    const stands = (mode: string) => {
      const { events, add } = failing();
      add("run.paused", null, null, { reason: "exception", visits: [{ node: "b", visit: "2" }] });
      fork(add, { mode });
      const fold = new GraphFold(GRAPH.joins).take(events);
      const begun = [statusOf(fold, "running"), fold.pausedFor, fold.held.length];
      add("node.started", "b", "2");
      add("node.waiting", "b", "2", { question: { question: "Sure?", kind: "confirm" } });
      fold.take(events, events.length - 2);
      return [...begun, statusOf(fold, "waiting")];
    };
    expect(stands("run")).toEqual(["running", null, 0, "waiting"]);
    expect(stands("debug").slice(0, 3)).toEqual(["paused", "back", 1]);
  });

  it("asks nothing that nested graphs asked before, until they ask again", () => {
    const { events, add } = failing();
    add("node.started", "sub", "3");
    add("node.started", "q", "3/1", {}, ["sub"]);
    add("node.waiting", "q", "3/1", { question: { question: "Sure?", kind: "confirm" } }, ["sub"]);
    fork(add, { mode: "debug" });
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(fold.questions).toEqual([]);
    add("node.started", "q", "3/1", {}, ["sub"]);
    add("node.waiting", "q", "3/1", { question: { question: "Sure?", kind: "confirm" } }, ["sub"]);
    fold.take(events, events.length - 2);
    expect(fold.questions.map(({ id }) => id)).toEqual(["3/1"]);
  });

  it("keeps what its nested graph did, as far as that was not mended", () => {
    const plain = failing();
    fork(plain.add);
    expect(gone(plain.events)).toEqual(["2/3"]);
    const mended = failing();
    fork(mended.add, { kept: { "2": 1 } });
    expect(gone(mended.events)).toEqual(["2/2", "2/3"]);
    mended.add("node.started", "new", "2/2", {}, ["b"]);
    expect(gone(mended.events)).toEqual(["2/3"]);
    const anew = failing();
    fork(anew.add, { kept: {} });
    expect(gone(anew.events)).toEqual(["2/1", "2/2", "2/3"]);
  });
});

describe("folding a graph's run", () => {
  it("puts the branches of a join together, each write once", () => {
    const { events, run } = journal();
    run("a", "1", { rows: ["a"], n: 1 }, "b", "c");
    run("c", "3", { rows: ["c"], last: "c" }, "join");
    run("b", "2", { rows: ["b"], last: "b" }, "join");
    run("join", "4", {});
    const fold = new GraphFold(GRAPH.joins).take(events);
    const join = fold.visits.get("4")!;
    expect(join.parents).toEqual(["2", "3"]);
    expect(stateBefore(GRAPH, fold, join)).toMatchObject({ n: 2, rows: ["a", "b", "c"], last: "c" });
    const c = fold.visits.get("3")!;
    expect(stateBefore(GRAPH, fold, c)).toMatchObject({ rows: ["a"], last: "" });
    expect(differences(stateBefore(GRAPH, fold, c), stateAfter(GRAPH, fold, c)).filter((d) => d.changed)).toHaveLength(
      2,
    );
  });

  it("tells the turns of a loop apart", () => {
    const { events, run } = journal();
    run("a", "1", { n: 1 }, "b");
    run("b", "2", { n: 1 }, "b");
    run("b", "3", { n: 1 }, "b");
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(fold.visitsOf("b").map(({ id, parents }) => [id, parents])).toEqual([
      ["2", ["1"]],
      ["3", ["2"]],
    ]);
    expect(stateAfter(GRAPH, fold, fold.visits.get("3")!).n).toBe(4);
    expect(summaries(fold).get("b")).toMatchObject({ state: "finished", visits: 2 });
  });

  it("takes back a visit and what followed from it, and nothing else", () => {
    const { events, add, run } = journal();
    run("a", "1", { n: 1 }, "b", "c");
    run("b", "2", { n: 10 }, "join");
    run("c", "3", { n: 100 }, "join");
    run("join", "4", {});
    add("run.finished", null, null, { output: {} });
    add("debug.restored", null, null, { visit: "2", visits: [{ node: "b", visit: "5" }] });
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(fold.visitsOf("join")).toEqual([]);
    expect(fold.visitsOf("c").map(({ id }) => id)).toEqual(["3"]);
    expect(fold.held.map(({ id, parents }) => [id, parents])).toEqual([["5", ["1"]]]);
    expect([fold.done, fold.status]).toEqual([false, "paused"]);
    const more = journal();
    more.run("b", "5", { n: 20 }, "join");
    more.run("join", "6", {});
    fold.take(more.events, 1);
    expect(stateBefore(GRAPH, fold, fold.visits.get("6")!).n).toBe(122);
  });

  it("goes back to the last finished visit where none is named, and runs a failed one again", () => {
    const { events, add, run } = journal();
    run("a", "1", { n: 1 }, "b");
    add("node.started", "b", "2");
    add("node.failed", "b", "2", { error: { kind: "request", message: "no", step: 0, node: "b" } });
    add("node.skipped", "b", "2", { reason: "stopped" });
    expect(new GraphFold(GRAPH.joins).take(events).visits.get("2")!.state).toBe("failed");
    add("run.paused", null, null, { reason: "exception", visits: [{ node: "b", visit: "2" }] });
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(fold.visits.get("2")).toMatchObject({ state: "paused", error: { message: "no" } });
    const more = journal();
    more.add("debug.restored", null, null, { visit: null, visits: [{ node: "a", visit: "3" }] });
    fold.take(more.events, 1);
    expect(fold.held.map(({ id }) => id)).toEqual(["3"]);
    expect(fold.takenEdges.size).toBe(0);
  });

  it("waits when everything that is open asks a person", () => {
    const { events, add } = journal();
    add("node.started", "a", "1");
    add("node.waiting", "a", "1", { question: { question: "Sure?", kind: "confirm" } });
    const fold = new GraphFold().take(events);
    expect(statusOf(fold, "running")).toBe("waiting");
    add("node.finished", "a", "1", { delta: {} });
    fold.take(events, events.length - 1);
    expect([statusOf(fold, "waiting"), fold.questions]).toEqual(["running", []]);
  });

  it("goes by the row while its journal is still coming in", () => {
    const { events, add } = journal();
    add("node.started", "a", "1");
    const fold = new GraphFold().take(events);
    expect(statusOf(fold, "finished", true)).toBe("finished");
    expect(statusOf(fold, "paused", true)).toBe("paused");
    expect(statusOf(fold, "queued", false)).toBe("running");
  });

  it("goes on with what an edge's filter made of the state", () => {
    const { events, run, filter } = journal();
    run("a", "1", { n: 1, rows: ["a"] }, "b", "c");
    filter("b", "2", { rows: ["b"] }, "join", { n: 50, rows: ["kept"] });
    run("c", "3", { rows: ["c"], last: "c" }, "join");
    const parked = new GraphFold(GRAPH.joins).take(events);
    expect(stateNow(GRAPH, parked)).toMatchObject({ n: 52, rows: ["kept", "a", "c"], last: "c" });
    run("join", "4", { n: 1 });
    const fold = new GraphFold(GRAPH.joins).take(events);
    const join = fold.visits.get("4")!;
    expect(stateBefore(GRAPH, fold, join)).toEqual({
      n: 52,
      rows: ["kept", "a", "c"],
      last: "c",
      messages: [],
    });
    expect(stateAfter(GRAPH, fold, join).n).toBe(53);
    expect(stateAfter(GRAPH, fold, fold.visits.get("2")!).rows).toEqual(["a", "b"]);
  });

  it("keeps a filter's answer when somebody goes back behind it", () => {
    const { events, add, run, filter } = journal();
    filter("a", "1", { n: 1 }, "b", { n: 7 });
    run("b", "2", { n: 1 });
    add("debug.restored", null, null, { visit: "2", visits: [{ node: "b", visit: "3" }] });
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(stateBefore(GRAPH, fold, fold.visits.get("3")!).n).toBe(7);
    expect(stateNow(GRAPH, fold).n).toBe(7);
  });

  it("takes what a filter made of a changed value", () => {
    const { events, add, filter } = journal();
    filter("a", "1", { n: 1 }, "b", { n: 7 });
    add("node.started", "b", "2");
    add("debug.changed", "a", "1", { key: "n", value: 2, routes: [[0, "b", { n: 14 }]] });
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(stateBefore(GRAPH, fold, fold.visits.get("2")!).n).toBe(14);
    const before = journal();
    before.filter("a", "1", { n: 1 }, "b", { n: 7 });
    before.add("debug.changed", "a", "1", { key: "n", value: 2, routes: [[0, "b", { n: 14 }]] });
    before.run("b", "2", {});
    const later = new GraphFold(GRAPH.joins).take(before.events);
    expect(stateBefore(GRAPH, later, later.visits.get("2")!).n).toBe(14);
  });

  it("knows the breakpoints as the journal tells them, and how long the run rested", () => {
    const { events, add } = journal();
    const one = { node: "b", condition: null, on: "enter" };
    expect(new GraphFold().take(events).breakpoints).toBeNull();
    add("run.started", null, null, { mode: "debug", breakpoints: [one] });
    add("run.paused", null, null, { reason: "step", visits: [] });
    expect(new GraphFold().take(events).breakpoints).toEqual([one]);
    add("debug.changed", null, null, { breakpoints: [] });
    add("run.resumed", null, null, { reason: "resume" });
    const fold = new GraphFold().take(events);
    expect([fold.breakpoints, fold.restedMs, fold.status]).toEqual([[], 2, "running"]);
    add("node.waiting", "a", "1", { question: {} });
    add("run.cancelled", null, null, { duration_ms: 9 });
    expect(new GraphFold().take(events).restedMs).toBe(3);
  });

  it("tells from which visit one of a nested graph follows", () => {
    const { events, add, run } = journal();
    run("a", "1", {}, "b");
    add("node.started", "b", "2");
    for (const item of ["2[0]/", "2[1]/"]) {
      add("node.started", "x", `${item}1`, {}, ["b"]);
      add("node.finished", "x", `${item}1`, { delta: {} }, ["b"]);
      add("edge.taken", "x", `${item}1`, { source: "x", target: "y", edge: 0 }, ["b"]);
    }
    add("node.started", "y", "2[1]/2", {}, ["b"]);
    add("node.started", "y", "2[0]/2", {}, ["b"]);
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(fold.visits.get("2[1]/2")!.parents).toEqual(["2[1]/1"]);
    expect(fold.visits.get("2[0]/2")!.parents).toEqual(["2[0]/1"]);
    expect(fold.taken.map(({ target }) => target)).toEqual(["b"]);
    expect([enclosing("2[1]/2"), enclosing("2/4/1"), enclosing("2")]).toEqual(["2", "2/4", null]);
  });

  it("changes what a finished visit wrote", () => {
    const { events, add, run } = journal();
    run("a", "1", { last: "x" }, "b");
    add("debug.changed", "a", "1", { key: "last", value: "y" });
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(stateAfter(GRAPH, fold, fold.visits.get("1")!).last).toBe("y");
    expect(fold.visits.get("1")!.changed).toEqual(["last"]);
  });

  it("keeps what a step was called with and asked, until it is tried again", () => {
    const { events, add } = journal();
    const told = { input: { tool: "find" }, asked: [{ messages: [] }] };
    add("node.started", "a", "1");
    add("node.failed", "a", "1", { error: { message: "no" }, ...told });
    const fold = new GraphFold().take(events);
    expect(fold.visits.get("1")).toMatchObject(told);
    add("node.started", "a", "1");
    expect(fold.take(events, events.length - 1).visits.get("1")).toMatchObject({ input: undefined, asked: undefined });
  });

  it("shows the beginning of a text that came cut off", () => {
    const { events, add } = journal();
    add("node.started", "a", "1");
    add("node.output", "a", "1", { chunk: "Say: " });
    add("node.output", "a", "1", { chunk: { cut: true, size: 90_000, head: "once upon", value: "3.0" } });
    expect(new GraphFold().take(events).visits.get("1")!.text).toBe("Say: once upon…");
  });

  it("takes a loop of ten thousand turns in a moment", () => {
    const { events, add } = journal();
    for (let n = 1; n <= 10_000; n += 1) {
      add("node.started", "b", String(n), { parents: n > 1 ? [String(n - 1)] : [] });
      add("node.finished", "b", String(n), { delta: {}, routes: [[0, "b"]] });
      add("edge.taken", "b", String(n), { source: "b", target: "b", edge: 0 });
    }
    const begun = performance.now();
    const fold = new GraphFold(GRAPH.joins).take(events);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(fold.visits.get("10000")!.parents).toEqual(["9999"]);
  });

  it("takes a hundred thousand events in a moment", () => {
    const { events, add } = journal();
    add("node.started", "a", "1");
    for (let n = 0; n < 100_000; n += 1) add("node.output", "a", "1", { chunk: "x" });
    const begun = performance.now();
    const fold = new GraphFold().take(events);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(fold.visits.get("1")!.text).toHaveLength(100_000);
  });
});

it("keeps what came cut off whole until something is added to it", () => {
  const cut = { cut: true, size: 90_000, head: "[1,2", value: "7.0", json: true };
  expect(update("overwrite", "x", cut)).toBe(cut);
  expect(update("append", [], cut)).toBe(cut);
  expect(update("append", cut, ["a"])).toEqual([cut, "a"]);
  expect(update("merge", { a: 1 }, cut)).toBe(cut);
  expect(update("merge", cut, { a: 1 })).toEqual({ "…": cut, a: 1 });
});

it("updates as declared", () => {
  expect(update("merge", { a: 1 }, { b: 2 })).toEqual({ a: 1, b: 2 });
  expect(update("union", [1, 2], [2, 3])).toEqual([1, 2, 3]);
  expect(update("max", 3, 5)).toBe(5);
  expect(update("min", 3, 5)).toBe(3);
  expect(String(update("add", 9007199254740991, 10))).toBe("9007199254741001");
  expect(update("append_messages", [{ msg_id: "1" }], [{ msg_id: "1" }, { msg_id: "2" }])).toHaveLength(2);
  expect(update("overwrite", 1, 2)).toBe(2);
});
