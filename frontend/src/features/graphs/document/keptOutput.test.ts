import { describe, expect, it } from "vitest";
import { plainOf } from "@/shared/yaml/plain";
import { sourceOf } from "@/shared/yaml/source";
import { conditionText } from "./condition";
import { graphOf } from "./graph";
import { editGraph, makeCondition, together } from "./graphEdits";
import { keepOutput, notKept, typeOfValue, valueAt } from "./keptOutput";

const TEXT = `name: g
state:
- {name: total, type: str, update: overwrite}
entry: look_up
nodes:
  look_up: {call: Tool, settings: {tool: orders}, outputs: {total: variables/step0/total}}
  review: {call: Ask, settings: {question: Go on?}}
edges:
- {source: look_up, target: review}
`;
const read = (text: string) => graphOf(plainOf(sourceOf(text).doc.contents));
const OUTPUTS = [
  { path: "text", type: "str" as const },
  { path: "variables/step0/total", type: "any" as const },
  { path: "variables/step1/total", type: "any" as const },
];

describe("keeping an output in a variable", () => {
  const graph = read(TEXT);
  const node = graph.nodes[0]!;

  it("offers what no variable holds", () => {
    expect(notKept(graph, node, OUTPUTS).map(({ path }) => path)).toEqual(["text", "variables/step1/total"]);
  });

  it("adds the variable, the output and the row in one edit", () => {
    const seen = { variables: { step1: { total: "261.9" } } };
    const kept = keepOutput(graph, "look_up", OUTPUTS[2]!, seen);
    expect([kept.name, kept.type]).toEqual(["total_2", "float"]);
    const branch = { variable: kept.name, operator: ">" as const, value: "100", number: true, target: "review" };
    const router = conditionText({ branches: [branch], otherwise: "end" });
    const result = editGraph(TEXT, together(kept.edit, makeCondition(0, router, ["review", "end"])));
    if (!result.ok) throw new Error(result.why);
    const made = read(result.text);
    expect(made.state.map(({ name, type }) => [name, type])).toEqual([
      ["total", "str"],
      ["total_2", "float"],
    ]);
    expect(made.nodes[0]!.outputs).toContainEqual(["total_2", "variables/step1/total"]);
    expect(made.edges[0]!.router).toBe(router);
  });

  it("takes the type from what the step put out, a text without that", () => {
    expect(keepOutput(graph, "look_up", OUTPUTS[2]!, undefined).type).toBe("str");
    expect([1, "x", true, [], {}, null].map(typeOfValue)).toEqual(["float", "str", "bool", "list", "dict", "any"]);
    expect(valueAt({}, "constructor")).toBeUndefined();
    expect(valueAt({}, "__proto__/x")).toBeUndefined();
  });
});
