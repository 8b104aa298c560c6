import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { awaitRun, openGate, runShown, takeGate } from "./startGate";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  openGate();
  vi.useRealTimers();
});

it("lets one start through, however often it is asked for", () => {
  expect([takeGate(), takeGate(), takeGate()]).toEqual([true, false, false]);
  awaitRun("a");
  runShown("a");
  expect(takeGate()).toBe(false);
  vi.advanceTimersByTime(700);
  expect(takeGate()).toBe(true);
});

it("waits for the new run to be shown, not for another", () => {
  takeGate();
  awaitRun("a");
  runShown("b");
  vi.advanceTimersByTime(2000);
  expect(takeGate()).toBe(false);
  runShown("a");
  vi.advanceTimersByTime(0);
  expect(takeGate()).toBe(true);
});

it("is open again after a start that was refused, and when the run never comes to be shown", () => {
  takeGate();
  openGate();
  expect(takeGate()).toBe(true);
  awaitRun("a");
  vi.advanceTimersByTime(4000);
  expect(takeGate()).toBe(true);
});
