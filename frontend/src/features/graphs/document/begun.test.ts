import { expect, it } from "vitest";
import type { PlacedProblem } from "@/shared/api/shapes";
import { begunOf } from "./begun";
import { readGraph } from "./graph";

const graphOf = (lines: string) => readGraph(`name: g\nentry: a\n${lines}`).graph!;
const problem = (path: string) => ({ path, message: "", line: 1, column: 1 }) as PlacedProblem;

it("takes an empty graph and a step without its tool for begun, not for wrong", () => {
  const empty = graphOf("nodes:\n");
  expect(begunOf(empty, problem("nodes"))).toBe("firstStep");
  expect(begunOf(empty, problem("entry"))).toBe("firstStep");
  expect(begunOf(empty, problem("max_turn"))).toBeNull();
  const step = (tool: string) => graphOf(`nodes:\n  a: {call: Tool, settings: {tool: ${tool}}}\n`);
  expect(begunOf(step('""'), problem("nodes.a.settings.tool"))).toBe("tool");
  expect(begunOf(step("t"), problem("nodes.a.settings.tool"))).toBeNull();
  expect(begunOf(step('""'), problem("nodes.a.settings"))).toBeNull();
});
