import { describe, expect, it } from "vitest";
import { contextAt } from "./context";

const at = (text: string) => {
  const lines = text.split("\n");
  return contextAt(lines, lines.length - 1, lines.at(-1)!.length);
};

describe("where a caret stands", () => {
  it.each([
    ["na", { path: [], key: null, word: "na" }],
    ["name: a\nsteps:\n  - ur", { path: ["steps", "[]"], key: null, word: "ur" }],
    ["steps:\n- url: x\n  met", { path: ["steps", "[]"], key: null, word: "met" }],
    ["steps:\n  - url: x\n    method: P", { path: ["steps", "[]"], key: "method", word: "P" }],
    [
      "steps:\n  - url: x\n    var:\n      - name: a\n        ab",
      { path: ["steps", "[]", "var", "[]"], key: null, word: "ab" },
    ],
    [
      "steps:\n  - url: x\n    var:\n    - name: a\n      # c\n      jump: ",
      { path: ["steps", "[]", "var", "[]"], key: "jump", word: "" },
    ],
    ["steps:\n- url: x\n  var:\n  - name: a\n- ", { path: ["steps", "[]"], key: null, word: "" }],
    ["params:\n  - name: a\n    type: ", { path: ["params", "[]"], key: "type", word: "" }],
    ["steps:\n  - url: x\n    headers:\n      Acc", { path: ["steps", "[]", "headers"], key: null, word: "Acc" }],
    ["steps:\n  - url: 'x\nde", { path: [], key: null, word: "de" }],
  ])("%j", (text, expected) => expect(at(text)).toEqual(expected));
});
