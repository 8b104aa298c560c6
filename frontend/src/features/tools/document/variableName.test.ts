import { expect, it } from "vitest";
import { variableNamed } from "./variableName";

it("names a variable after the last key of its path", () => {
  expect(variableNamed("data.status", [])).toBe("status");
  expect(variableNamed("items[0].name", ["name"])).toBe("name_2");
  expect(variableNamed("items[0]", [])).toBe("items");
  expect(variableNamed('data["a b.c"]', [])).toBe("c");
  expect(variableNamed("数据", [])).toBe("数据");
  expect(variableNamed("[0]", [])).toBe("value");
});
