import { expect, it } from "vitest";
import type { CallInfo } from "@/shared/api/shapes";
import { choicesOf } from "./kindsFound";

const CALLS = [
  { name: "LLM", label: "Model", description: "Asks a model" },
  { name: "Tool", label: "Tool", description: "Calls a tool" },
  { name: "Graph", label: "Graph", description: "Runs a graph" },
] as CallInfo[];
const NAMED = {
  Tool: [
    { name: "find_order", description: "Looks an order up" },
    { name: "orders", description: "" },
  ],
  Graph: [{ name: "order_desk", description: "Decides" }],
};
const found = (text: string) => choicesOf(CALLS, text, NAMED).map(({ call, of }) => (of ? `${call}: ${of}` : call));

it("finds a tool and a graph by name, as a step that is set to it", () => {
  expect(choicesOf(CALLS, "Find_o", NAMED)).toEqual([
    { call: "Tool", of: "find_order", label: "find_order", description: "Tool · Looks an order up" },
  ]);
  expect(found("order")).toEqual(["Tool: orders", "Graph: order_desk", "Tool: find_order"]);
});

it("leaves the kinds first, and alone while nothing is typed", () => {
  expect(found("")).toEqual(["LLM", "Tool", "Graph"]);
  expect(found("tool")).toEqual(["Tool"]);
  expect(found("model")).toEqual(["LLM"]);
});

it("shows no more than can be looked over, and no kind of step that isn't there", () => {
  const many = Array.from({ length: 40 }, (_, n) => ({ name: `order_${n}`, description: "" }));
  expect(choicesOf(CALLS, "order", { Tool: many, Graph: [] })).toHaveLength(8);
  expect(choicesOf(CALLS.slice(0, 1), "order", NAMED)).toEqual([]);
});
