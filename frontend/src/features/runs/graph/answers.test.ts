import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { answerText, SHOWN_MS, useAnswers } from "./answers";
import { textOf } from "./questionFields";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("keeps an answer for a while", () => {
  const answer = { run: "r", visit: "1", node: "ask", asked: "Sure?", answer: "Yes" };
  useAnswers.getState().add(answer);
  vi.advanceTimersByTime(SHOWN_MS - 1);
  expect(useAnswers.getState().given).toEqual([answer]);
  vi.advanceTimersByTime(1);
  expect(useAnswers.getState().given).toEqual([]);
});

it("says answers in a few words", () => {
  const said = (value: unknown) => answerText(value, { yes: "Yes", no: "No" }, textOf);
  expect([said(true), said(false), said("red"), said({ name: "Ada", n: 2 })]).toEqual([
    "Yes",
    "No",
    "red",
    "name: Ada, n: 2",
  ]);
  expect(said("x".repeat(500))).toHaveLength(201);
});
