import { expect, it } from "vitest";
import { parseExact, fromPlain, writeJson } from "@/shared/json/exact";
import { askedIn, fieldsOf, formValue } from "./questionFields";

const of = (schema: string) => fieldsOf(parseExact(schema));

it("offers a choice once, however often it is listed, and sends it as it is listed", () => {
  const [field] = of('{"properties": {"size": {"enum": ["1", "1", 2, 2, {"a": 1}]}}}');
  expect(field!.choices!.map(({ text }) => text)).toEqual(["1", "2", '{"a":1}']);
  expect(formValue([field!], new Map([["size", "1"]]))).toEqual({ size: "1" });
  expect(formValue([field!], new Map([["size", '{"a":1}']]))).toEqual({ size: { a: 1 } });
});

it("shows what is there at first as JSON, and sends it back as it was", () => {
  const fields = of(
    '{"properties": {"who": {"type": "object", "default": {"id": 12345678901234567890}}, "tags": {"type": "array", "default": ["a"]}}}',
  );
  expect(fields.map(({ initial }) => initial)).toEqual(['{"id":12345678901234567890}', '["a"]']);
  expect(writeJson(fromPlain(formValue(fields, new Map())))).toBe('{"who":{"id":12345678901234567890},"tags":["a"]}');
});

it("takes a field of any name", () => {
  const fields = of('{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}}');
  expect(fields.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
  const value = formValue(fields, new Map([["__proto__", "x"]]));
  expect(writeJson(fromPlain(value))).toBe('{"__proto__":"x"}');
});

it("leaves what an author asks as it is, even where it reads like a sentence of the server", () => {
  const say = (text: string) => `[${text}]`;
  const text = "pay was interrupted. Run it again?";
  expect(askedIn({ question: text, kind: "confirm" }, say)).toBe(text);
  expect(askedIn({ question: text, kind: "confirm", reason: "interrupted" }, say)).toBe(`[${text}]`);
});
