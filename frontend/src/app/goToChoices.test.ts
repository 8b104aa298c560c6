import { expect, it } from "vitest";
import type { RunRow } from "@/shared/api/shapes";
import { runsNamed } from "./goToChoices";

const run = (id: string, name: string) => ({ id, name }) as RunRow;
const RUNS = [
  run("a1", "Order_desk"),
  run("b2", "weather"),
  ...Array.from({ length: 20 }, (_, n) => run(`c${n}`, "many")),
];

it("finds runs by a part of their name or the beginning of their id", () => {
  expect(runsNamed(RUNS, " order ").map(({ id }) => id)).toEqual(["a1"]);
  expect(runsNamed(RUNS, "b2").map(({ name }) => name)).toEqual(["weather"]);
  expect(runsNamed(RUNS, "many").length).toBe(8);
  expect(runsNamed(RUNS, "  ")).toEqual([]);
});
