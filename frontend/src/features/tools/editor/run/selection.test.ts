import { describe, expect, it } from "vitest";
import { charactersTo, labelIn, placeInText } from "./selection";

describe("a selection", () => {
  it("is found in a text whose line breaks are two signs", () => {
    const text = "a\r\nbc\r\nd";
    expect([0, 1, 2, 4, 5, 6].map((place) => text.slice(placeInText(text, place)))).toEqual([
      text,
      "\r\nbc\r\nd",
      "bc\r\nd",
      "\r\nd",
      "d",
      "",
    ]);
    expect(placeInText("x\ry", 2)).toBe(2);
  });

  it("is counted in characters, as the server does", () => {
    expect(charactersTo("a😀b北", 4)).toBe(3);
    expect(charactersTo("abc", 2)).toBe(2);
  });

  it("names its variable by the label before it", () => {
    expect(labelIn("/Temperature:\\s+<b>([^<]*)</")).toBe("temperature");
    expect(labelIn('/class="price">([0-9]+)/')).toBe("price");
    expect(labelIn("/城市：([\\p{L}]+)/")).toBe("城市");
    expect(labelIn("/^([\\w-]+)/")).toBe("value");
  });
});
