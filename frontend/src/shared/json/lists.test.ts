import { describe, expect, it } from "vitest";
import { type JsonNode, parseJson, writeJson } from "./exact";
import { columnsOf, fieldOf, isObjectList, MOST_COLUMNS, objectLists } from "./lists";

const answer = parseJson(
  '{"note": "x", "data": {"items": [{"id": 12345678901234567890, "tags": [{"t": 1}]}, null, {"name": "b"}]}, "n": [1]}',
);
const listAt = (path: string) => objectLists(answer).find((list) => list.path === path)!.node;

describe("lists of objects", () => {
  it("are found with their paths, the outer ones first", () => {
    expect(objectLists(answer).map(({ path }) => path)).toEqual(["data.items", "data.items[0].tags"]);
    expect(objectLists(parseJson('[{"a": 1}]')).map(({ path }) => path)).toEqual([""]);
    expect(objectLists(parseJson('{"a.b": [{"c": 1}]}')).map(({ path }) => path)).toEqual(['["a.b"]']);
  });

  it("hold nothing but objects", () => {
    for (const text of ["[]", "[null]", "[1]", '[{"a": 1}, 2]', '{"a": 1}', '"x"'])
      expect(isObjectList(parseJson(text)), text).toBe(false);
  });

  it("have the fields of all their objects as columns, the exact values in them", () => {
    const node = listAt("data.items");
    expect(columnsOf(node)).toEqual({ names: ["id", "tags", "name"], more: 0 });
    expect(writeJson(fieldOf(node.items[0]!, "id")!)).toBe("12345678901234567890");
    expect(fieldOf(node.items[1]!, "id")).toBeUndefined();
    expect(fieldOf(parseJson('{"a": 1, "a": 2}'), "a")).toEqual({ kind: "number", text: "2" });
  });

  it("say how many columns there are beyond the most shown", () => {
    const entries = Array.from({ length: MOST_COLUMNS + 3 }, (_, n): [string, JsonNode] => [`k${n}`, { kind: "null" }]);
    const { names, more } = columnsOf({ kind: "array", items: [{ kind: "object", entries }] });
    expect([names.length, more]).toEqual([MOST_COLUMNS, 3]);
  });

  it("are looked for within bounds", () => {
    const wide = Array.from({ length: 3000 }, (_, n) => `"k${n}": [{"a": ${n}}]`).join(",");
    expect(objectLists(parseJson(`{${wide}}`)).length).toBe(50);
  });
});
