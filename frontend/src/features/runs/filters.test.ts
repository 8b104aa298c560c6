import { expect, it } from "vitest";
import type { RunRow } from "@/shared/api/shapes";
import { askedFor, fits } from "./filters";

const row = {
  name: "a",
  user: "ada",
  kind: "tool",
  status: "failed",
  created_at: new Date("2026-03-04T12:00:00").toISOString(),
} as RunRow;

it("takes whole days", () => {
  expect(fits(row, { from: "2026-03-04", to: "2026-03-04" })).toBe(true);
  expect(fits(row, { from: "2026-03-05" })).toBe(false);
  expect(fits(row, { to: "2026-03-03" })).toBe(false);
  const asked = askedFor({ from: "2026-03-04", to: "2026-03-04" });
  expect(new Date(asked.to!).getTime() - new Date(asked.from!).getTime()).toBe(86_399_999);
});

it("leaves out what isn't a filter", () => {
  expect(askedFor({ kind: "x", from: "yesterday", name: "a" })).toEqual({ name: "a" });
  expect(fits(row, { status: "finished,failed", user: "ada", name: "a" })).toBe(true);
  expect(fits(row, { name: "b" })).toBe(false);
});
