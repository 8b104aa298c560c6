import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactNumber, parseExact, parseJson, tryParseJson, writeJson } from "./exact";

describe("exact JSON", () => {
  it("keeps every digit of a number", () => {
    const text = '{"id":12345678901234567890,"x":1.10,"e":1E400,"n":-0}';
    expect(writeJson(parseJson(text))).toBe(text);
    expect((parseExact(text) as { id: ExactNumber }).id.text).toBe("12345678901234567890");
  });

  it("keeps order and repeated keys", () => {
    const text = '{"b":1,"1":2,"__proto__":3,"b":4}';
    expect(writeJson(parseJson(text))).toBe(text);
  });

  it("agrees with JSON.parse on any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(writeJson(parseJson(text)))).toEqual(JSON.parse(text));
        expect(JSON.parse(writeJson(parseJson(text), "  "))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses what JSON refuses", () => {
    for (const bad of ["", "{", "[1,]", "{'a':1}", "01", "1 2", '"\n"', "nul", "callback({})", '"\\x"', '"abc']) {
      expect(tryParseJson(bad), bad).toBeNull();
    }
    expect(tryParseJson("[".repeat(100_000))).toBeNull();
  });
});
