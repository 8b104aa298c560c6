import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { foldRun } from "../fold";
import { GraphFold } from "../graph/fold";
import { align, graphLines, type Row, toolLines } from "./lines";

type Told = [type: string, node: string | null, visit: string | null, data?: Record<string, unknown>, path?: string[]];

const events = (...told: Told[]): RunEvent[] =>
  told.map(([type, node, visit, data = {}, path = []], index) => ({
    seq: index + 1,
    at: new Date(index * 10).toISOString(),
    type,
    node,
    visit,
    path,
    data,
  }));

const visit = (node: string, id: string, delta: Record<string, unknown>, ...targets: string[]): Told[] => [
  ["node.started", node, id],
  ["node.finished", node, id, { delta }],
  ...targets.map((target): Told => ["edge.taken", node, id, { source: node, target, edge: 0 }]),
];
const lines = (...told: Told[][]) =>
  graphLines(new GraphFold().take(events(["run.started", null, null], ...told.flat())));
const seen = (rows: Row[]) => rows.map(({ left, right, same }) => [left?.id ?? null, right?.id ?? null, same]);

describe("two runs of a graph beside each other", () => {
  it("are the same where everything that counts is the same", () => {
    const message = (id: string) => ({ messages: [{ role: "assistant", content: "x", msg_id: id }] });
    const one = lines(visit("a", "1", message("m1"), "b"), visit("b", "2", { n: 1 }));
    const two = lines(visit("a", "1", message("m2"), "b"), visit("b", "2", { n: 2 }));
    expect(seen(align(one, two))).toEqual([
      ["1", "1", true],
      ["2", "2", false],
    ]);
  });

  it("go by cause, not by which of two branches was faster", () => {
    const start = visit("a", "1", {}, "b", "c");
    const [b, c] = [visit("b", "2", { n: 1 }, "d"), visit("c", "3", { n: 2 }, "d")];
    const one = lines(start, b, c, visit("d", "4", { from: "b" }), visit("d", "5", { from: "c" }));
    const two = lines(start, c, b, visit("d", "4", { from: "c" }), visit("d", "5", { from: "b" }));
    const rows = align(one, two);
    expect(rows.every(({ same }) => same)).toBe(true);
    expect(rows.find(({ left }) => left?.id === "4")?.right?.id).toBe("5");
  });

  it("find the same step again after one run took another way", () => {
    const turn = (id: string, ...to: string[]) => visit("loop", id, { turn: id }, ...to);
    const one = lines(turn("1", "loop"), turn("2", "end_step"), visit("end_step", "3", {}));
    const two = lines(turn("1", "loop"), turn("2", "loop"), turn("3", "end_step"), visit("end_step", "4", {}));
    expect(seen(align(one, two))).toEqual([
      ["1", "1", true],
      ["2", "2", true],
      [null, "3", false],
      ["3", "4", true],
    ]);
  });

  it("leave out what was taken back", () => {
    const one = lines(
      visit("a", "1", { n: 1 }),
      [["debug.restored", null, null, { visit: "1", visits: [{ node: "a", visit: "2" }] }]],
      visit("a", "2", { n: 1 }),
    );
    expect(seen(align(one, lines(visit("a", "1", { n: 1 }))))).toEqual([["2", "1", true]]);
  });

  it("tell the items of a loop over a list apart", () => {
    const item = (n: number, id: string, value: number): Told[] =>
      visit("x", `1[${n}]/${id}`, { value }).map(([type, node, at, data]): Told => [
        type,
        node,
        at,
        data,
        [`each[${n}]`],
      ]);
    const outer: Told[] = [["node.started", "each", "1"]];
    const rows = align(lines(outer, item(0, "1", 5), item(1, "1", 6)), lines(outer, item(1, "1", 6), item(0, "1", 5)));
    expect(rows.every(({ same }) => same)).toBe(true);
  });
});

it("compares the steps of tools without what is new each time", () => {
  const step = (value: number, key: string) =>
    toolLines(
      foldRun(
        events(
          ["step.started", null, "0", { step: 0 }],
          [
            "step.response",
            null,
            "0",
            {
              step: 0,
              duration_ms: value,
              request: { method: "POST", url: "http://x", headers: { "Idempotency-Key": key }, body: null },
              response: { status: 200, headers: { date: key }, text: '{"n": 1}' },
            },
          ],
          ["step.finished", null, "0", { step: 0, duration_ms: value }],
        ),
      ),
    );
  expect(align(step(1, "a"), step(2, "b")).map(({ same }) => same)).toEqual([true]);
});
