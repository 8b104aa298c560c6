import { expect, it } from "vitest";
import { writeJson } from "./exact";
import { yamlTree } from "./yamlTree";

it("shows YAML as a tree and keeps numbers as they were sent", () => {
  expect(writeJson(yamlTree("a: 12345678901234567890\nb:\n  - 1.10\n  - no\n  - null\n")!)).toBe(
    '{"a":12345678901234567890,"b":[1.10,"no",null]}',
  );
});

it("is no tree for text, errors, aliases and several documents", () => {
  for (const text of ["just a line", "", "a: [", "a: &x 1\nb: *x\n", "a: 1\n---\nb: 2\n"])
    expect(yamlTree(text), text).toBeNull();
});
