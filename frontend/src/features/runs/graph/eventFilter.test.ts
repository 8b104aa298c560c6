import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { EventFilter, EventNames, type Wanted } from "./eventFilter";

const event = (type: string, node: string | null, data: Record<string, unknown> = {}): RunEvent =>
  ({ seq: 1, at: "", run: "r", type, node, visit: null, path: [], data }) as unknown as RunEvent;

const EVENTS = [
  event("run.started", null),
  event("node.started", "fetch"),
  event("node.output", "fetch", { chunk: "Grüße" }),
  event("node.finished", "fetch"),
  event("node.started", "Keep", { note: "fetch" }),
];
const ALL: Wanted = { types: [], node: null, text: "" };

describe("the filter of events", () => {
  it("asks for types, a node and a text in what is there, together", () => {
    const found = (wanted: Partial<Wanted>) => {
      const filter = new EventFilter(EVENTS, { ...ALL, ...wanted } as never);
      filter.grow(EVENTS.length);
      return filter.found;
    };
    expect(found({ types: ["node.started"] })).toEqual([1, 4]);
    expect(found({ node: "fetch" })).toEqual([1, 2, 3]);
    expect(found({ text: "grüße" })).toEqual([2]);
    expect(found({ text: "fetch", types: ["node.started"] })).toEqual([1, 4]);
    expect(found({ text: "keep" })).toEqual([4]);
  });

  it("looks at each event once, as they come", () => {
    let looked = 0;
    const counted = EVENTS.map((one) => ({
      ...one,
      get type() {
        looked += 1;
        return one.type;
      },
    })) as RunEvent[];
    const filter = new EventFilter(counted, { ...ALL, text: "node" });
    expect(filter.grow(2)).toBe(1);
    expect(filter.grow(5)).toBe(4);
    expect(filter.grow(5)).toBe(4);
    expect(looked).toBe(5);
  });

  it("offers what comes up", () => {
    const names = new EventNames(EVENTS).grow(2);
    expect([...names.types]).toEqual(["run.started", "node.started"]);
    expect([...names.grow(5).nodes]).toEqual(["fetch", "Keep"]);
  });
});
