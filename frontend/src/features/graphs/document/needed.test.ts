import { expect, it } from "vitest";
import { readGraph } from "./graph";
import { neededOf } from "./needed";

const GRAPH = `name: a
entry: first
nodes:
  first:
    call: HTTP
    settings: {url: "\${env:base_url}/x", headers: [{name: a, value: "Bearer \${env:token}"}], other: "\${state:token}"}
  second: {call: Tool, settings: {tool: find_order}}
  third: {call: LLM, settings: {tools: [find_order, refund, unread]}}
edges: []
`;

it("gathers what settings and tools take from the environment, each name once", () => {
  const env: Record<string, string[]> = { find_order: ["token", "shop_key"], refund: ["bank"] };
  expect(neededOf(readGraph(GRAPH).graph!.nodes, (tool) => env[tool])).toEqual([
    "base_url",
    "token",
    "shop_key",
    "bank",
  ]);
});

it("needs nothing where nothing is taken", () => {
  const graph = readGraph("name: a\nnodes:\n  one: {call: Delay, settings: {seconds: 1}}\n").graph!;
  expect(neededOf(graph.nodes, () => [])).toEqual([]);
});
