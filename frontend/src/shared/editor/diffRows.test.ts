import { expect, it } from "vitest";
import { rowsOf } from "./DiffView";

it("puts what belongs together beside each other", () => {
  expect(rowsOf("a\nb\nc\n", "a\nB\nc\nd\n").map((row) => [row.left?.text, row.right?.text, row.kind])).toEqual([
    ["a", "a", "same"],
    ["b", "B", "changed"],
    ["c", "c", "same"],
    [undefined, "d", "changed"],
  ]);
});
