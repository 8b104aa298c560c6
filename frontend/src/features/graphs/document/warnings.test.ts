import { expect, it } from "vitest";
import type { CallInfo, PlacedProblem } from "@/shared/api/shapes";
import { readGraph } from "./graph";
import { NO_SOURCES, type Sources } from "./outputs";
import { begunOf, warningsOf } from "./warnings";

const call = (name: string, outputs: object) =>
  ({
    name,
    label: name,
    description: "",
    settings: { properties: { tool: { "x-widget": "tool" } } },
    outputs,
  }) as unknown as CallInfo;
const CALLS = [
  call("Tool", { properties: { text: { type: "string" }, data: {}, variables: { type: "object" } } }),
  call("Ask", { properties: { answer: {} } }),
  call("Graph", { properties: {}, additionalProperties: true }),
];
const KNOWN: Sources = { ...NO_SOURCES, tool: () => ({ params: [], variables: ["step0/temperature"] }) };
const graphOf = (lines: string) => readGraph(`name: g\nentry: a\n${lines}`).graph!;
const found = (lines: string, sources = KNOWN) =>
  warningsOf(graphOf(lines), CALLS, sources).map(({ why, path }) => `${why} ${path.join(".")}`);
const problem = (path: string) => ({ path, message: "", line: 1, column: 1 }) as PlacedProblem;

it("names the steps that nothing leads to", () => {
  const nodes = "nodes:\n  a: {call: Tool}\n  b: {call: Tool}\n  c: {call: Tool}\n";
  expect(found(`${nodes}edges:\n  - {source: a, target: b}\n`)).toEqual(["unreached nodes.c"]);
  expect(found(`${nodes}edges:\n  - {source: b, target: c}\n  - {source: c, target: b}\n`)).toEqual([
    "unreached nodes.b",
    "unreached nodes.c",
  ]);
});

it("doesn't guess what is reached while there is no entry", () => {
  expect(warningsOf(readGraph("name: g\nnodes:\n  a: {call: Tool}\n").graph!, CALLS, KNOWN)).toEqual([]);
});

it("names an Ask without a question", () => {
  expect(found('nodes:\n  a: {call: Ask, settings: {question: " "}}\n')).toEqual([
    "noQuestion nodes.a.settings.question",
  ]);
  expect(found('nodes:\n  a: {call: Ask, settings: {question: "Well?"}}\n')).toEqual([]);
});

it.each(["temperature", "variables/step1/temperature", "variables/step0/other"])(
  "names the output %s, which is none",
  (path) => {
    expect(found(`nodes:\n  a: {call: Tool, settings: {tool: t}, outputs: {x: ${path}}}\n`)).toEqual([
      "noOutput nodes.a.outputs.x",
    ]);
  },
);

it.each([
  "text",
  "data/any/thing",
  "variables",
  "variables/step0",
  "variables/step0/temperature",
  "variables/step0/temperature/0",
])("lets the output %s be", (path) => {
  expect(found(`nodes:\n  a: {call: Tool, settings: {tool: t}, outputs: {x: ${path}}}\n`)).toEqual([]);
});

it("says nothing of what it can't know", () => {
  expect(found("nodes:\n  a: {call: Graph, outputs: {x: anything}}\n")).toEqual([]);
  expect(found("nodes:\n  a: {call: Tool, outputs: {x: variables/step9/y}}\n", NO_SOURCES)).toEqual([]);
  expect(found("nodes:\n  a: {call: Unknown, outputs: {x: y}}\n")).toEqual([]);
});

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
