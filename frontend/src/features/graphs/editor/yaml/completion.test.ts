import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import type { CallInfo } from "@/shared/api/shapes";
import { readGraph } from "../../document/graph";
import { graphCompletions } from "./completion";

const CALLS = [
  {
    name: "Tool",
    label: "Tool",
    description: "Runs a tool",
    inputs: {},
    settings: {
      properties: {
        tool: { type: "string", title: "Tool", description: "Which", "x-widget": "tool" },
        params: { type: "object", additionalProperties: true, title: "Parameters", "x-kind": "template" },
        mode: { enum: ["fast", "slow"], "x-options": { fast: "Quickly" } },
        limits: { $ref: "#/$defs/Limits" },
      },
      $defs: { Limits: { type: "object", properties: { strict: { type: "boolean", title: "Strict" } } } },
    },
    outputs: { properties: { text: { type: "string" }, variables: { type: "object" } } },
  },
  { name: "Ask", label: "Ask", description: "Asks", inputs: {}, settings: { properties: {} }, outputs: {} },
] as unknown as CallInfo[];

const GRAPH = `name: a
state:
  - {name: total, type: float}
inputs: [total]
entry: look
nodes:
  look:
    call: Tool
    settings: {tool: orders}
  ask: {call: Ask}
edges:
  - {source: look, target: ask}
`;

const source = graphCompletions({
  graph: () => readGraph(GRAPH).graph ?? null,
  calls: () => CALLS,
  sources: () => ({
    tool: () => ({
      params: [{ name: "order_id", type: "str", required: true, description: "Number" }],
      variables: ["step1/total"],
    }),
    graph: () => undefined,
    env: ["API_KEY"],
  }),
  names: (widget) => [`my_${widget}`],
  about: (place, field) => `${place} ${field}`,
  typeName: (type) => type,
  updateName: (update) => update,
});

/** What is offered at the end of a text. */
async function offered(text: string): Promise<string[]> {
  const state = EditorState.create({ doc: text });
  const result = (await source(new CompletionContext(state, text.length, true))) as CompletionResult | null;
  return result?.options.map(({ label }) => label) ?? [];
}

describe("completion in a graph", () => {
  it.each([
    ["na", ["entry", "run_timeout"]],
    ["nodes:\n  look:\n    ", ["call", "settings", "outputs"]],
    ["nodes:\n  look: {call: Tool, ", ["settings"]],
    ["nodes:\n  look:\n    call: ", ["Tool", "Ask"]],
    ["nodes:\n  look:\n    call: Tool\n    settings:\n      ", ["tool", "params", "mode", "limits"]],
    ["nodes:\n  fresh:\n    call: Tool\n    settings:\n      mo", ["mode"]],
    ["nodes:\n  look:\n    settings:\n      tool: ", ["my_tool"]],
    ["nodes:\n  look:\n    settings:\n      mode: ", ["fast", "slow"]],
    ["nodes:\n  look:\n    settings:\n      params:\n        ", ["order_id"]],
    ["nodes:\n  look:\n    settings:\n      limits:\n        ", ["strict"]],
    ["nodes:\n  look:\n    settings: {limits: {strict: ", ["true", "false"]],
    ["nodes:\n  look:\n    outputs: {total: ", ["text", "variables/step1/total"]],
    ["nodes:\n  look:\n    outputs:\n      ", ["total", "messages"]],
    ["edges:\n  - {source: ", ["look", "ask"]],
    ["edges:\n  - source: look\n    target: ", ["ask", "end"]],
    ["edges:\n  - {router: x, possible_targets: [ask, ", ["look", "end"]],
    ["edges:\n  - {source: look, router: 'state.", ["total", "messages"]],
    ["edges:\n  - {source: look, router: 'state.total > 1.0 && steps.", ["look", "ask"]],
    ["state:\n  - {name: x, type: ", ["str", "list"]],
    ["state:\n  - name: x\n    update: ", ["append", "overwrite"]],
    ["inputs: [", ["total"]],
    ["inputs:\n  - ", ["total"]],
    ["entry: ", ["look"]],
    [
      "nodes:\n  ask:\n    settings:\n      question: Is ${",
      ["${state:total}", "${node:look/variables/step1/total}", "${env:API_KEY}", "${input:total}"],
    ],
  ])("at the end of %j offers what may stand there", async (text, wanted) => {
    expect(await offered(text)).toEqual(expect.arrayContaining(wanted));
  });

  it("offers nothing where names are free, and nothing that a step doesn't come after", async () => {
    expect(await offered("name: ")).toEqual([]);
    expect(await offered("nodes:\n  ")).toEqual([]);
    expect((await offered("nodes:\n  look:\n    settings: {q: '${")).join()).not.toContain("node:");
  });
});
