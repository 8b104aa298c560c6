import { expect, it } from "vitest";
import { readGraph } from "./graph";
import { followedStops } from "./stops";

const of = (steps: string[], variables: string[]) =>
  readGraph(
    `name: a\nstate: [${variables.map((name) => `{name: ${name}, type: int}`).join(", ")}]\nnodes:\n${steps
      .map((name) => `  ${name}: {call: Convert}\n`)
      .join("")}`,
  ).graph!;

const stops = [{ node: "look", condition: 'state.total > 1.0 && state.name == "total"' }, { node: "send" }];
const before = of(["look", "send"], ["total", "name"]);

it("lets a condition follow a variable's name, and back again", () => {
  const after = of(["look", "send"], ["sum", "name"]);
  const followed = followedStops(stops, before, after);
  expect(followed[0]!.condition).toBe('state.sum > 1.0 && state.name == "total"');
  expect(followedStops(followed, after, before)).toEqual(stops);
});

it("lets a breakpoint follow its step, and back again", () => {
  const after = of(["find", "send"], ["total", "name"]);
  const followed = followedStops(stops, before, after);
  expect(followed.map(({ node }) => node)).toEqual(["find", "send"]);
  expect(followedStops(followed, after, before)).toEqual(stops);
});

it("takes a step that went away or came for no new name", () => {
  expect(followedStops(stops, before, of(["send"], ["total", "name"]))).toBe(stops);
  expect(followedStops(stops, before, of(["look", "send", "more"], ["total", "name"]))).toBe(stops);
  expect(followedStops(stops, before, of(["send", "look"], ["total", "name"]))).toBe(stops);
});
