import { describe, expect, it } from "vitest";
import { beginningOf, calledWith, conversationsOf } from "./asked";

const CUT = { cut: true, size: 90_000, head: "once upon", value: "3.0" };

describe("what a step asked of models", () => {
  it("tells roles, calls of tools, and whose answer is whose", () => {
    const call = { id: "7", type: "function", function: { name: "find", arguments: '{"word": 1}' } };
    const messages = [
      { role: "system", content: "Be brief" },
      { role: "user", content: CUT },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "7", content: "3" },
    ];
    const asked = [{ provider: "house", model: "big", messages, sent: [2, 4], tools: ["find"] }];
    const [conversation] = conversationsOf(asked);
    expect(conversation).toMatchObject({ provider: "house", model: "big", offered: ["find"], requests: 2 });
    expect(conversation!.messages.map(({ role, tool }) => [role, tool])).toEqual([
      ["system", null],
      ["user", null],
      ["assistant", null],
      ["tool", "find"],
    ]);
    expect(conversation!.messages[1]!.content).toBe(CUT);
    expect(conversation!.messages[2]).toMatchObject({
      content: "",
      calls: [{ name: "find", arguments: '{"word": 1}' }],
    });
  });

  it("is nothing in older journals, and no fault where it is something else", () => {
    expect(conversationsOf(undefined)).toEqual([]);
    expect(conversationsOf(CUT)).toEqual([]);
    expect(conversationsOf([{ messages: [{ content: [{ type: "text" }] }] }])[0]!.messages[0]!.content).toContain(
      '"type": "text"',
    );
  });
});

describe("what a step was called with", () => {
  it("is a tool's parameters, a graph's inputs, or items", () => {
    expect(calledWith({ tool: "find", params: { word: "a" } })).toMatchObject({
      tool: "find",
      graph: null,
      values: [["word", "a"]],
    });
    const each = calledWith({ items: [1], graph: "talk", inputs: { said: "${item:value}" } });
    expect(each).toMatchObject({ graph: "talk", items: [1], values: [["said", "${item:value}"]] });
    expect(calledWith({ tool: "find", params: CUT })).toMatchObject({ values: [], cut: [CUT] });
    expect(calledWith(undefined)).toBeNull();
  });
});

it("folds long texts only", () => {
  expect(beginningOf("short")).toBeNull();
  expect(beginningOf("x".repeat(390))).toBeNull();
  expect(beginningOf("x".repeat(600))).toHaveLength(360);
  expect(beginningOf("line of some length\n".repeat(20))!.split("\n")).toHaveLength(8);
});
