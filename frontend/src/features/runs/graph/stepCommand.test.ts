import { expect, it } from "vitest";
import type { GraphVisit } from "./fold";
import { stepCommand } from "./stepCommand";

const held = (...ids: string[]) => ({ held: ids.map((id) => ({ id }) as GraphVisit) });

it("names the visit at which the run is held", () => {
  expect(stepCommand(held("a"))).toEqual({ command: "step_over", visit: "a" });
});

it("steps all where several are held", () => {
  expect(stepCommand(held("a", "b"))).toEqual({ command: "step_over" });
});
