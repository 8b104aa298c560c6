import { expect, it } from "vitest";
import { isExpression } from "./celCheck";

it.each([
  "state.total > 100.0",
  'state["a b"] == "x" && !(size(state.list) >= 2u)',
  "state.name in [\"a\", 'b'] ? true : state.n % 2 == 1",
  "state.list.exists(x, x.price > 1.5e3) || has(state.y)",
  '{"a": 1, "b": [1, 2,]}.a == -1',
  'r"\\d+" == state.text && """many "lines" """ != ""',
  "state.in_box",
])("takes %s", (source) => expect(isExpression(source)).toBe(true));

it.each([
  "",
  "(((",
  "state.total >",
  "state.",
  '"open',
  "a b",
  "1 +* 2",
  "f(a,,b)",
  "a ? b",
  "x = 1",
  "[1",
  "{a}",
  "in",
  "#",
])("takes %j for no expression", (source) => expect(isExpression(source)).toBe(false));

it("doesn't fall over what is nested without end", () => {
  expect(isExpression("(".repeat(100_000))).toBe(false);
  expect(isExpression("[".repeat(100_000))).toBe(false);
});
