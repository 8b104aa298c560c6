import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { difference, endingsOf, fromEditor, toEditor } from "./lineEndings";

const text = fc
  .array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", " "), { maxLength: 20 })
  .map((parts) => parts.join(""));

describe("line endings", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(text, (t) => {
        expect(fromEditor(toEditor(t, endingsOf(t)), endingsOf(t))).toBe(t);
      }),
    );
    expect(endingsOf("a\r\nb\r\n")).toBe("crlf");
    expect(endingsOf("a\r\nb\n")).toBe("mixed");
    expect(endingsOf("a\rb")).toBe("mixed");
  });

  it("the difference turns one text into the other", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const change = difference(a, b);
        expect(change ? a.slice(0, change.from) + change.insert + a.slice(change.to) : a).toBe(b);
      }),
    );
  });
});
