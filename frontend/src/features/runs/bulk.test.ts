import { expect, it } from "vitest";
import type { RunRow } from "@/shared/api/shapes";
import { each } from "./bulk";

it("tries every run, and tells what came of which", async () => {
  const rows = ["a", "b", "c"].map((id) => ({ id })) as RunRow[];
  const outcome = await each(rows, (id) => (id === "b" ? Promise.reject(new Error("no")) : Promise.resolve(`${id}2`)));
  expect(outcome.done.map(({ row, result }) => [row.id, result])).toEqual([
    ["a", "a2"],
    ["c", "c2"],
  ]);
  expect(outcome.refused).toEqual([{ row: rows[1], error: new Error("no") }]);
});
