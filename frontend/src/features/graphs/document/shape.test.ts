import { describe, expect, it } from "vitest";
import { type Plain, plainOf, Raw } from "@/shared/yaml/plain";
import { sourceOf } from "@/shared/yaml/source";
import { freshValue, type Schema, wayOf, waysOf } from "./shape";

const plain = (text: string): Plain => plainOf(sourceOf(text).doc.contents);
const shapes = (schema: Schema, template = false) => waysOf(schema, {}, template).map(({ shape }) => shape);

describe("ways to write a value", () => {
  it("come from the schema", () => {
    expect(shapes({ type: "string" })).toEqual(["text"]);
    expect(shapes({ type: ["integer", "null"] })).toEqual(["number"]);
    expect(shapes({ anyOf: [{ type: "array" }, { type: "boolean" }, { type: "null" }] })).toEqual(["list", "bool"]);
    expect(shapes({ enum: ["a", "b"] })).toEqual(["choice"]);
    expect(shapes({})).toEqual(["text", "number", "bool", "list", "group"]);
  });

  it("let a reference stand for what is no text, in templates", () => {
    expect(shapes({ type: "boolean" }, true)).toEqual(["bool", "reference"]);
    expect(shapes({ type: "array" }, true)).toEqual(["list", "reference"]);
    expect(shapes({ type: "integer" }, true)).toEqual(["number"]);
    expect(shapes({ anyOf: [{ type: "number" }, { type: "string" }] }, true)).toEqual(["number"]);
  });

  it("follow references to definitions, in circles too", () => {
    const tree: Schema = { type: "object", properties: { child: { $ref: "#/$defs/Tree" } } };
    expect(waysOf({ $ref: "#/$defs/Tree" }, { Tree: tree })[0]!.schema.properties).toHaveProperty("child");
    expect(waysOf({ $ref: "#/$defs/A" }, { A: { $ref: "#/$defs/A" } }).length).toBeGreaterThan(0);
  });

  it("are told apart by what is written", () => {
    const cat: Schema = { type: "object", title: "Cat", properties: { kind: { const: "cat" }, lives: {} } };
    const dog: Schema = { type: "object", title: "Dog", properties: { kind: { const: "dog" } }, required: ["kind"] };
    const ways = waysOf({ anyOf: [cat, dog, { type: "string" }] });
    expect(wayOf(plain("{kind: dog}"), ways)?.title).toBe("Dog");
    expect(wayOf(plain("{kind: cat, lives: 9}"), ways)?.title).toBe("Cat");
    expect(wayOf({ text: "x" }, ways)?.shape).toBe("text");
    expect(wayOf({ seq: [] }, ways)).toBeUndefined();
    expect(wayOf(undefined, ways)?.title).toBe("Cat");
    expect(freshValue(ways[1]!)).toEqual({ kind: "dog" });
  });

  it("keep what is written where it fits", () => {
    const [text, number, bool] = waysOf({});
    expect(freshValue(number!, { text: "12" })).toEqual(new Raw("12"));
    expect(freshValue(number!, { text: "x" })).toEqual(new Raw("0"));
    expect(freshValue(text!, { number: "12345678901234567890" })).toBe("12345678901234567890");
    expect(freshValue(bool!, { text: "true" })).toBe(true);
  });
});
