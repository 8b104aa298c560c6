import { describe, expect, it } from "vitest";
import { comparable, diffOf, equal, textParts } from "./treeDiff";

const diff = (left: unknown, right: unknown) => diffOf(comparable(left), comparable(right));
const marks = (left: unknown, right: unknown) =>
  Object.fromEntries(
    diff(left, right)
      .children()
      .map(({ name, mark }) => [name, mark]),
  );

describe("the difference of two values", () => {
  it("marks what changed and what only one side has", () => {
    expect(marks({ a: 1, b: { c: 2 }, d: 4 }, { b: { c: 3 }, a: 1, e: 5 })).toEqual({
      a: "same",
      b: "changed",
      d: "left",
      e: "right",
    });
  });

  it("keeps the ends of lists together", () => {
    expect(marks([1, 2, 9, 3], [1, 2, 3])).toEqual({ "[0]": "same", "[1]": "same", "[2]": "left", "[3]": "same" });
    expect(marks([1, 2], [1, 5])).toEqual({ "[0]": "same", "[1]": "changed" });
  });

  it("does not mind the order of keys, nor ids that each run makes", () => {
    expect(diff({ a: 1, b: 2 }, { b: 2, a: 1 }).mark).toBe("same");
    expect(diff([{ content: "x", msg_id: "1" }], [{ content: "x", msg_id: "2" }]).mark).toBe("same");
  });

  it("tells null, nothing and an empty text apart", () => {
    expect(marks({ a: null }, { a: "" })).toEqual({ a: "changed" });
    expect(marks({ a: null }, {})).toEqual({ a: "left" });
    expect(diff({}, []).mark).toBe("changed");
  });

  it("compares what came cut off by its size and digest", () => {
    const cut = (digest: string, value = "1.0") => ({ cut: true, size: 20000, head: "x", value, digest });
    expect(equal(comparable(cut("aa")), comparable(cut("aa", "9.0")))).toBe(true);
    expect(equal(comparable(cut("aa")), comparable(cut("bb")))).toBe(false);
  });

  it("takes 1 and 1.0 for the same, and big whole numbers by their digits", () => {
    const number = (text: string) => ({ kind: "number", text }) as const;
    expect(equal(number("1"), number("1.0"))).toBe(true);
    expect(equal(number("9007199254740992"), number("9007199254740993"))).toBe(false);
  });

  it("finds what differs within a text", () => {
    expect(textParts("order 1042 is open", "order 7 is open")).toEqual({
      before: "order ",
      left: "1042",
      right: "7",
      after: " is open",
    });
    expect(textParts("aa", "aaa")).toEqual({ before: "aa", left: "", right: "a", after: "" });
  });
});
