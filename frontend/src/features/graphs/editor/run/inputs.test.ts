import { describe, expect, it } from "vitest";
import { ExactNumber } from "@/shared/json/exact";
import { parsed, typedOf } from "./inputs";

describe("inputs of a run", () => {
  it("are read as the type of their variable", () => {
    expect(parsed("int", "12")).toEqual({ ok: true, value: 12 });
    expect(parsed("int", "1.5")).toEqual({ ok: false, why: "run.wantsInteger" });
    expect(parsed("float", "1e3")).toEqual({ ok: true, value: 1000 });
    expect(parsed("float", "ten")).toEqual({ ok: false, why: "run.wantsNumber" });
    expect(parsed("bool", "true")).toEqual({ ok: true, value: true });
    expect(parsed("list", "[1, ")).toEqual({ ok: false, why: "graphs.notJson" });
    expect(parsed("list", "1042, 7, desk lamp")).toEqual({ ok: true, value: [1042, 7, "desk lamp"] });
    expect(parsed("list", "a, b\nc\n")).toEqual({ ok: true, value: ["a, b", "c"] });
    expect(parsed("dict", "a, b")).toEqual({ ok: false, why: "graphs.notJson" });
    expect(parsed("str", "[1, ")).toEqual({ ok: true, value: "[1, " });
    expect(parsed("message", "hello")).toEqual({ ok: true, value: [{ role: "user", content: "hello" }] });
  });

  it("keep the digits of whole numbers", () => {
    const result = parsed("int", "9007199254740993");
    expect(result.ok && String((result.value as ExactNumber).text ?? result.value)).toBe("9007199254740993");
  });

  it("of a run that is there are shown as they would be typed", () => {
    expect(typedOf({ a: "x", b: 2, c: [1], messages: [{ role: "user", content: "hi" }] })).toEqual({
      a: "x",
      b: "2",
      c: "[1]",
      messages: "hi",
    });
  });
});
