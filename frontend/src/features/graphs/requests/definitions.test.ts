import { expect, it } from "vitest";
import { withDefinitionText } from "./definitions";

it("keeps every digit of a definition that is an object", () => {
  const body = '{"name":"a","definition":{"name":"a","max":12345678901234567890,"x":1.10},"revision":1}';
  const answer = JSON.parse(withDefinitionText(body)) as { definition: string; revision: number };
  expect(answer.definition).toBe('{\n  "name": "a",\n  "max": 12345678901234567890,\n  "x": 1.10\n}\n');
  expect(answer.revision).toBe(1);
});

it("does the same for what someone else saved", () => {
  const body = '{"code":"conflict","current":{"revision":2,"definition":{"n":9007199254740993}}}';
  expect(withDefinitionText(body)).toContain('\\"n\\": 9007199254740993');
});

it("leaves texts and other answers as they came", () => {
  for (const body of ['{"definition":"a: {1: 2}"}', '{"results": [1.10]}', "", 'no "definition": {'])
    expect(withDefinitionText(body)).toBe(body);
});
