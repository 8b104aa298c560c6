import { expect, it } from "vitest";
import { ExactNumber } from "@/shared/json/exact";
import type { GraphFold } from "./fold";
import { kindOf, writerOf } from "./valueKind";

it.each([
  ["a", "text"],
  [1.5, "number"],
  [new ExactNumber("12345678901234567890"), "number"],
  [false, "bool"],
  [[], "list"],
  [{}, "map"],
  [null, "json"],
])("tells how %j is written", (value, kind) => {
  expect(kindOf(value)).toBe(kind);
});

const visit = (id: string, more: object = {}) => ({
  id,
  path: [],
  state: "finished",
  takenBack: false,
  delta: { total: 1 },
  ...more,
});
const writer = (...order: object[]) => writerOf({ order } as unknown as GraphFold, "total");

it("finds the last visit that wrote a variable, and still counts", () => {
  const later = [
    visit("3", { takenBack: true }),
    visit("4", { state: "paused" }),
    visit("5", { path: ["inner"] }),
    visit("6", { delta: {} }),
  ];
  expect(writer(visit("1"), visit("2"), ...later)?.visit.id).toBe("2");
  expect(writer(...later)).toBeNull();
});

it("tells when only the beginning of what was written is there", () => {
  expect(writer(visit("1"))?.whole).toBe(true);
  expect(writer(visit("1", { delta: { total: { cut: true, value: 1, head: "…" } } }))?.whole).toBe(false);
});
