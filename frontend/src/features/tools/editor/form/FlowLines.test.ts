import { expect, it } from "vitest";
import { readTool } from "../../document/tool";
import { edgesOf, lanesOf } from "./FlowLines";

it("draws what doesn't go to the step below, each on a lane of its own where they overlap", () => {
  const reading = readTool(`name: a
desc: b
steps:
  - {url: x, next: 1, var: [{name: t, jump: 2}, {name: u, jump: 2}]}
  - {url: y, next: 0}
  - {url: z, next: 9, result: ok}
`);
  const edges = reading.ok ? edgesOf(reading.form.steps) : [];
  expect(edges).toEqual([
    { from: 0, to: 2, kind: "jump" },
    { from: 1, to: 0, kind: "next" },
  ]);
  expect(lanesOf(edges)).toEqual([0, 1]);
});
