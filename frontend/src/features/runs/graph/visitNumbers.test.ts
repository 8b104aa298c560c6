import { expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { GraphFold } from "./fold";
import { numberOf } from "./visitNumbers";

const event = (type: string, node: string | null, visit: string | null, data = {}, path: string[] = []): RunEvent => ({
  seq: 1,
  at: "2026-01-01T00:00:00Z",
  type,
  node,
  visit,
  path,
  data,
});
const ran = (node: string, visit: string, target: string) => [
  event("node.started", node, visit),
  event("node.finished", node, visit, { delta: {} }),
  event("edge.taken", node, visit, { source: node, target, edge: 0 }),
];

it("counts the visits that count, and none that was taken back", () => {
  const fold = new GraphFold();
  fold.take([
    event("run.started", null, null, { name: "g", mode: "debug" }),
    ...ran("a", "1", "b"),
    ...ran("b", "2", "c"),
    event("run.paused", null, null, { reason: "step", visits: [{ node: "c", visit: "3" }] }),
  ]);
  const numbers = () => Object.fromEntries(fold.order.map((visit) => [visit.id, numberOf(fold, visit)]));
  expect(numbers()).toEqual({ 1: "1", 2: "2", 3: "3" });

  fold.take([event("debug.restored", null, null, { visit: "2", visits: [{ node: "b", visit: "4" }] })]);
  expect(numbers()).toEqual({ 1: "1", 2: null, 3: null, 4: "2" });

  fold.take([...ran("b", "4", "c"), event("node.started", "c", "5"), event("node.started", "x", "5[0]/1", {}, ["c"])]);
  expect(numbers()).toMatchObject({ 4: "2", 5: "3", "5[0]/1": "3[0]/1" });
});

it("counts a visit again at which the run is held anew", () => {
  const fold = new GraphFold();
  fold.take([
    event("run.started", null, null, { name: "g", mode: "debug" }),
    ...ran("a", "1", "b"),
    event("run.paused", null, null, { reason: "step", visits: [{ node: "b", visit: "2" }] }),
    event("debug.restored", null, null, { visit: "1", visits: [{ node: "a", visit: "1" }] }),
  ]);
  const [a, b] = fold.order;
  expect([numberOf(fold, a!), numberOf(fold, b!)]).toEqual(["1", null]);
  fold.take([event("run.paused", null, null, { reason: "step", visits: [{ node: "b", visit: "2" }] })]);
  expect(numberOf(fold, b!)).toBe("2");
});
