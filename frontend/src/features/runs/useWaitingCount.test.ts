import { expect, it } from "vitest";
import type { RunRow } from "@/shared/api/shapes";
import { changesWaiting } from "./useWaitingCount";

const row = (id: string, status: RunRow["status"]) => ({ id, status }) as RunRow;

it("looks again when a run comes to wait or stops waiting, and not otherwise", () => {
  const waiting = new Set(["a"]);
  expect(changesWaiting([row("b", "waiting")], waiting)).toBe(true);
  expect(changesWaiting([row("b", "running"), row("a", "running")], waiting)).toBe(true);
  expect(changesWaiting([row("a", "waiting"), row("b", "finished")], waiting)).toBe(false);
  expect(changesWaiting([], waiting)).toBe(false);
});
