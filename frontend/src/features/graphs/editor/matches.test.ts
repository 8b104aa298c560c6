import { expect, it } from "vitest";
import { matches } from "./matches";

const CALLS = [
  { label: "LLM", name: "LLM", words: "Asks a model" },
  { label: "Task list", name: "Tasks", words: "Keeps what is to be done" },
  { label: "Ask", name: "Ask", words: "Asks a person" },
  { label: "For each", name: "ForEach", words: "Runs a tool for each item" },
];
const found = (text: string) => matches(CALLS, text, (one) => one).map(({ label }) => label);

it("finds first what is called so, then what has it in its name, then what only speaks of it", () => {
  expect(found(" ask")).toEqual(["Ask", "Task list", "LLM"]);
  expect(found("foreach")).toEqual(["For each"]);
  expect(found("nothing like it")).toEqual([]);
});

it("leaves everything in its order while nothing is typed", () => {
  expect(found("")).toEqual(CALLS.map(({ label }) => label));
});
