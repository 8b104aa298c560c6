import { expect, it } from "vitest";
import { readGraph } from "./graph";
import { NO_SOURCES } from "./outputs";
import { referencesFor } from "./references";

const offered = (inputs: string, prompt: string) => {
  const { graph } = readGraph(`name: a
state: [{name: order, type: str}]
inputs: ${inputs}
nodes:
  say: {call: LLM, settings: {nested: [{user_prompt: "${prompt}"}]}}
`);
  return referencesFor(graph!, "say", [], NO_SOURCES).some(({ text }) => text === "${sys:question}");
};

it("offers the question of a conversation only where there is one", () => {
  expect(offered("[order]", "hello")).toBe(false);
  expect(offered("[messages]", "hello")).toBe(true);
});

it("goes on offering the question where a step uses it already", () => {
  expect(offered("[order]", "Answer ${sys:question}")).toBe(true);
});
