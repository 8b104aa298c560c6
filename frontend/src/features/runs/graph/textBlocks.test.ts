import { describe, expect, it } from "vitest";
import { blocksOf } from "./textBlocks";

const LINES = Array.from({ length: 400 }, (_, n) => `line ${n} ${"word ".repeat(n % 9)}`).join("\n");

describe("the blocks of a long text", () => {
  it("lose nothing, and are cut at the ends of lines", () => {
    expect(blocksOf(LINES).join("\n")).toBe(LINES);
    expect(blocksOf(LINES).length).toBeGreaterThan(5);
    expect(blocksOf("")).toEqual([""]);
    expect(blocksOf("one\ntwo\n")).toEqual(["one\ntwo\n"]);
    const long = "x".repeat(5000);
    expect(blocksOf(long)).toEqual([long]);
    expect(blocksOf(`${long}\n\nafter`)).toEqual([long, "\nafter"]);
  });

  it("stay as they are when text comes at the end", () => {
    const before = blocksOf(LINES);
    const after = blocksOf(`${LINES} more\nand more`);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });
});
