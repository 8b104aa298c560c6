import { describe, expect, it } from "vitest";
import { GraphFold } from "./fold";
import { TimelineOrder } from "./timelineOrder";
import { newVisit } from "./visits";

function foldOf(ids: readonly string[]): GraphFold {
  const fold = new GraphFold();
  for (const id of ids) fold.order.push(newVisit(id, "n", id.includes("/") ? ["outer"] : []));
  return fold;
}

const start = (fold: GraphFold, id: string) => {
  fold.order.find((visit) => visit.id === id)!.startedAt = "2026-01-01T00:00:00Z";
};
const names = (order: TimelineOrder) => Array.from({ length: order.length }, (_, index) => order.at(index).id);

describe("the order of a timeline", () => {
  it("puts nested visits below theirs, also where they begin later than what follows", () => {
    const fold = foldOf(["1", "2", "1/2", "10", "1[3]/1", "1/1", "2/1"]);
    for (const { id } of fold.order) start(fold, id);
    expect(names(new TimelineOrder(fold).grow())).toEqual(["1", "1/1", "1/2", "1[3]/1", "2", "2/1", "10"]);
  });

  it("takes in a visit once it begins, and each only once", () => {
    const fold = foldOf(["1", "2", "3"]);
    const order = new TimelineOrder(fold);
    start(fold, "1");
    start(fold, "3");
    expect(names(order.grow())).toEqual(["1", "3"]);
    start(fold, "2");
    expect(names(order.grow())).toEqual(["1", "2", "3"]);
    expect(names(order.grow())).toEqual(["1", "2", "3"]);
  });

  it("does not go through what it has when a run grows", () => {
    const fold = new GraphFold();
    const order = new TimelineOrder(fold);
    let reads = 0;
    for (let id = 1; id <= 5000; id += 1) {
      const visit = newVisit(String(id), "n", []);
      Object.defineProperty(visit, "startedAt", {
        get: () => {
          reads += 1;
          return "2026-01-01T00:00:00Z";
        },
      });
      fold.order.push(visit);
      order.grow();
    }
    expect(order.length).toBe(5000);
    expect(reads).toBeLessThan(15_000);
  });
});
