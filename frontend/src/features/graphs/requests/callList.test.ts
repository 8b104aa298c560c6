import { expect, it } from "vitest";
import { inOrder } from "./callList";

it("lists what graphs are mostly made of first, and kinds that others wrote after them, as they came", () => {
  const names = ["Zoom", "Ask", "Delay", "Blur", "LLM", "Tool"].map((name) => ({ name }));
  expect(inOrder(names).map(({ name }) => name)).toEqual(["Tool", "LLM", "Ask", "Delay", "Zoom", "Blur"]);
});
