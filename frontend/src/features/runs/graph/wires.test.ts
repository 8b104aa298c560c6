import { expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { GraphFold } from "./fold";

const told = (...events: [type: string, node: string | null, visit: string | null, data: Record<string, unknown>][]) =>
  events.map(([type, node, visit, data], index): RunEvent => ({
    seq: index + 1,
    at: new Date(index).toISOString(),
    type,
    node,
    visit,
    path: [],
    data,
  }));
const edge = (source: string, visit: string): [string, string, string, Record<string, unknown>] => [
  "edge.taken",
  source,
  visit,
  { source, target: "c", edge: 0 },
];

it("follows what the journal tells of a visit's parents, also where another visit was thought to follow them", () => {
  const events = told(
    edge("a", "1"),
    edge("b", "2"),
    ["run.paused", null, null, { reason: "pause", visits: [{ node: "c", visit: "3" }] }],
    ["node.started", "c", "4", { parents: ["1"] }],
  );
  const fold = new GraphFold().take(events);
  expect(fold.visits.get("4")!.parents).toEqual(["1"]);
  expect(fold.visits.get("3")!.parents).toEqual(["2"]);
});
