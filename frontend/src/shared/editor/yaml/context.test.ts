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
    ["nodes:\n  查找:\n    ca", { path: ["nodes", "查找"], key: null, word: "ca" }],
    ["edges:\n  - {source: a, tar", { path: ["edges", "[]"], key: null, word: "tar", flow: true }],
    ["edges:\n  - {source: a, target: b", { path: ["edges", "[]"], key: "target", word: "b", flow: true }],
    [
      'edges:\n  - {router: \'x ? "a, {" : "b"\', possible_targets: [a, ',
      { path: ["edges", "[]", "possible_targets", "[]"], key: null, word: "", flow: true },
    ],
    [
      "nodes:\n  a: {call: Tool, settings: {tool: x, params: {q: 1}, ",
      { path: ["nodes", "a", "settings"], key: null, word: "", flow: true },
    ],
    ["nodes:\n  a: {call: Tool,\n      sett", { path: ["nodes", "a"], key: null, word: "sett", flow: true }],
    ["nodes:\n  a: {call: Tool}\n  b", { path: ["nodes"], key: null, word: "b" }],
    ['a: {b: "x ${state:', { path: ["a"], key: "b", word: '"x ${state:', flow: true }],
    ["steps:\n  - url: 'x\nde", { path: [], key: null, word: "de" }],
  ])("%j", (text, expected) => expect(at(text)).toEqual(expected));
});
