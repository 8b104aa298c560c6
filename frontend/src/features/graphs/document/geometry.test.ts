import { describe, expect, it } from "vitest";
import { COLUMN, labelWidth, placesFor, ROW } from "./geometry";

/** Pairs of letters, a wire each. */
const wires = (text: string) => text.split(" ").map((pair) => ({ source: pair[0]!, targets: [pair[1]!] }));
const placed = (names: string, text: string, given: Record<string, [number, number]> = {}) => {
  const places = new Map(Object.entries(given).map(([name, [x, y]]) => [name, { x, y }]));
  const found = placesFor([...names], wires(text), names[0]!, places);
  return Object.fromEntries([...found].map(([name, { x, y }]) => [name, [x / COLUMN, y / ROW]]));
};

it("gives Chinese labels the room that their characters take", () => {
  expect(labelWidth("否则")).toBeGreaterThanOrEqual(2 * 12 + 12);
  expect(labelWidth("else")).toBeLessThan(labelWidth("否则否则"));
});

describe("steps that the document gives no place", () => {
  it("stand in the order of the edges, a column a step", () => {
    expect(placed("abcd", "ab ac bd cd")).toEqual({ a: [0, 0], b: [1, 0], c: [1, 1], d: [2, 0] });
    expect(placed("abc", "ab bc ac")).toEqual({ a: [0, 0], b: [1, 0], c: [2, 0] });
  });

  it("stand where a way that leads back does not move them, and also where nothing leads to them", () => {
    expect(placed("abcd", "ab bc cb aa")).toEqual({ a: [0, 0], b: [1, 0], c: [2, 0], d: [0, 1] });
  });

  it("never stand on a step that has a place", () => {
    expect(placed("abc", "ab ac", { a: [0, 0], b: [COLUMN + 20, 10] })).toEqual({ c: [1, 1] });
  });

  it("may be a very long chain", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
    const edges = names.slice(1).map((name, index) => ({ source: names[index]!, targets: [name] }));
    expect(placesFor(names, edges, "n0", new Map()).get("n19999")).toEqual({ x: 19_999 * COLUMN, y: 0 });
  });
});
