import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTexts } from "./merge";

describe("merging two texts", () => {
  const base = "name: a\ndesc: old\nsteps:\n  - url: x\n    timeout: 5\n";

  it("keeps what both sides changed", () => {
    const mine = base.replace("timeout: 5", "timeout: 7");
    const theirs = base.replace("desc: old", "desc: one");
    expect(mergeTexts(base, mine, theirs)).toEqual({
      text: "name: a\ndesc: one\nsteps:\n  - url: x\n    timeout: 7\n",
      clashes: 0,
    });
  });

  it("says where both changed the same lines, and keeps mine there", () => {
    const mine = base.replace("old", "mine");
    expect(mergeTexts(base, mine, base.replace("old", "theirs"))).toEqual({ text: mine, clashes: 1 });
    expect(mergeTexts(base, mine, mine)).toEqual({ text: mine, clashes: 0 });
  });

  it("is the one side where the other changed nothing", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (from, now) => {
        expect(mergeTexts(from, now, from)).toEqual({ text: now, clashes: 0 });
        expect(mergeTexts(from, from, now)).toEqual({ text: now, clashes: 0 });
      }),
    );
  });
});
