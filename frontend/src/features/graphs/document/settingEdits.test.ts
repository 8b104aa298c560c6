import { describe, expect, it } from "vitest";
import { type Path, type Plain, plainOf, Raw } from "@/shared/yaml/plain";
import { sourceOf } from "@/shared/yaml/source";
import { readGraph } from "./graph";
import {
  editGraph,
  type GraphEdit,
  insert,
  move,
  put,
  remove,
  renameKey,
  renameNode,
  renameVariable,
} from "./graphEdits";
import { addField, fieldsOf, removeField, renameField, requireField, retypeField } from "./schemaEdits";

const TEXT = `# kept
name: forms # and this
state:
  - {name: total, type: float}
  - {name: 'other', type: str}
inputs: [total]
entry: each
nodes:
  each:
    call: ForEach
    settings:
      items: \${state:total}
      tool: orders # the tool
      params:
        # what is asked
        order:   "1042"
        tags:
          - a   # first
          - 'b'
          - {deep: [1, 2], more: true}
        grid:
          - [1, 2]
          - [3]
        flow: {a: {}, b: []}
    outputs: {total: results}
  look:
    call: Convert
    settings:
      text: "\${state:total} is \${state:totals} $\${state:total} \${ input:total }"
      values: {x: 'state.total > 1.0 ? "total" : "b"', y: "state[\\"total\\"]"}
edges:
  - {source: each, router: 'state.total > 1.0 ? "look" : "end"', possible_targets: [look, end]}
  - {source: look, target: end, filter: "{'total': state.total}"}
`;
const PARAMS: Path = ["nodes", "each", "settings", "params"];

function edited(edit: GraphEdit, text = TEXT): string {
  const result = editGraph(text, edit);
  if (!result.ok) throw new Error(result.why);
  return result.text;
}

function at(text: string, path: Path): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], sourceOf(text).doc.toJS());
}

/** Lines of one text that the other hasn't, as a pair. */
function changed(after: string, before = TEXT): [string[], string[]] {
  const old = before.split("\n");
  const now = after.split("\n");
  return [old.filter((line) => !now.includes(line)), now.filter((line) => !old.includes(line))];
}

describe("nested settings", () => {
  it("change by the lines concerned", () => {
    expect(changed(edited(put([...PARAMS, "tags", 0], "z")))).toEqual([
      ["          - a   # first"],
      ["          - z   # first"],
    ]);
    expect(changed(edited(put([...PARAMS, "tags", 2, "deep", 1], new Raw("7"))))).toEqual([
      ["          - {deep: [1, 2], more: true}"],
      ["          - {deep: [1, 7], more: true}"],
    ]);
    expect(changed(edited(insert([...PARAMS, "tags"], 3, "c")))).toEqual([[], ["          - c"]]);
    expect(changed(edited(remove([...PARAMS, "tags", 1])))).toEqual([["          - 'b'"], []]);
    expect(changed(edited(renameKey([...PARAMS, "order"], "id")))).toEqual([
      ['        order:   "1042"'],
      ['        id:   "1042"'],
    ]);
  });

  it("move items with their comments", () => {
    const text = edited(move([...PARAMS, "tags"], 0, 1));
    expect(text).toContain("          - 'b'\n          - a   # first\n");
    expect(edited(move([...PARAMS, "tags"], 1, 0), text)).toBe(TEXT);
  });

  it("become another kind of value where they stand", () => {
    const list = edited(put([...PARAMS, "order"], ["x", new Raw("2")]));
    expect(at(list, [...PARAMS, "order"])).toEqual(["x", 2]);
    expect(Object.keys(at(list, PARAMS) as object)).toEqual(["order", "tags", "grid", "flow"]);
    expect(list).toContain("# what is asked");
    const item = edited(put([...PARAMS, "tags", 0], { name: "x" }));
    expect(at(item, [...PARAMS, "tags"])).toEqual([{ name: "x" }, "b", { deep: [1, 2], more: true }]);
    const back = edited(put([...PARAMS, "tags", 2], "text"));
    expect(at(back, [...PARAMS, "tags", 2])).toBe("text");
  });

  it("are edited in lists of lists and in maps on one line", () => {
    const grid = edited(insert([...PARAMS, "grid", 1], 1, new Raw("4")));
    expect(at(grid, [...PARAMS, "grid"])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(at(edited(remove([...PARAMS, "grid", 1, 0])), [...PARAMS, "grid"])).toEqual([[1, 2], []]);
    const flow = edited(put([...PARAMS, "flow", "a", "x"], "1"));
    expect(at(flow, [...PARAMS, "flow"])).toEqual({ a: { x: "1" }, b: [] });
    expect(flow).toContain("        flow: {");
    for (const text of [grid, flow]) expect(text.split("outputs:")[1]).toBe(TEXT.split("outputs:")[1]);
  });

  it("keep a group whose last value is taken out, and a list's item", () => {
    const one = edited(remove([...PARAMS, "tags", 2, "more"]));
    expect(at(edited(put([...PARAMS, "tags", 2, "deep"], null), one), [...PARAMS, "tags", 2])).toEqual({});
  });

  it("keep the digits of big numbers", () => {
    expect(edited(put([...PARAMS, "order"], new Raw("12345678901234567890")))).toContain(
      "order:   12345678901234567890",
    );
  });
});

describe("new names", () => {
  it("of a variable are followed in texts, expressions, outputs and inputs, each as it is written", () => {
    const text = edited(renameVariable(0, "sum"));
    expect(changed(text)).toEqual([
      [
        "  - {name: total, type: float}",
        "inputs: [total]",
        "      items: ${state:total}",
        "    outputs: {total: results}",
        '      text: "${state:total} is ${state:totals} $${state:total} ${ input:total }"',
        '      values: {x: \'state.total > 1.0 ? "total" : "b"\', y: "state[\\"total\\"]"}',
        '  - {source: each, router: \'state.total > 1.0 ? "look" : "end"\', possible_targets: [look, end]}',
        "  - {source: look, target: end, filter: \"{'total': state.total}\"}",
      ],
      [
        "  - {name: sum, type: float}",
        "inputs: [sum]",
        "      items: ${state:sum}",
        "    outputs: {sum: results}",
        '      text: "${state:sum} is ${state:totals} $${state:total} ${ input:sum }"',
        '      values: {x: \'state.sum > 1.0 ? "total" : "b"\', y: "state[\\"sum\\"]"}',
        '  - {source: each, router: \'state.sum > 1.0 ? "look" : "end"\', possible_targets: [look, end]}',
        "  - {source: look, target: end, filter: \"{'sum': state.sum}\"}",
      ],
    ]);
    expect(edited(renameVariable(0, "total"), text)).toBe(TEXT);
  });

  it("may be in any script", () => {
    const text = edited(renameVariable(0, "总额"));
    expect(text).toContain("${state:总额}");
    expect(text).toContain('state["总额"] > 1.0 ? "look"');
    expect(readGraph(edited(renameNode("look", "查找"), text)).ok).toBe(true);
  });
});

const SCHEMA = `name: a
nodes:
  ask:
    call: Ask
    settings:
      kind: form
      schema: # the form
        type: object
        properties:
          name: {type: string, minLength: 2, description: Who}
          size: {type: string, enum: [s, l]}
        required: [name]
`;
const FORM: Path = ["nodes", "ask", "settings", "schema"];
const schemaOf = (text: string): Plain =>
  FORM.reduce<Plain>(
    (value, part) => ("map" in value ? value.map.find(([key]) => key === part)![1] : value),
    plainOf(sourceOf(text).doc.contents),
  );

describe("fields of a JSON Schema", () => {
  const given = schemaOf(SCHEMA);

  it("are read", () => {
    expect(fieldsOf(given)).toMatchObject([
      { name: "name", type: "string", required: true, description: "Who" },
      { name: "size", type: "choice", choices: ["s", "l"], required: false },
    ]);
    expect(fieldsOf({ map: [["anyOf", { seq: [] }]] })).toBeNull();
    expect(fieldsOf(undefined)).toEqual([]);
  });

  it("are added, renamed, retyped and taken out, with what the form doesn't know kept", () => {
    const renamed = edited(renameField(FORM, given, "name", "who"), SCHEMA);
    expect(changed(renamed, SCHEMA)[1]).toEqual([
      "          who: {type: string, minLength: 2, description: Who}",
      "        required: [who]",
    ]);
    const typed = edited(retypeField(FORM, given, "size", "integer"), SCHEMA);
    expect(at(typed, [...FORM, "properties", "size"])).toEqual({ type: "integer" });
    expect(
      at(edited(retypeField(FORM, given, "size", "objects"), SCHEMA), [...FORM, "properties", "size", "type"]),
    ).toBe("array");
    expect(at(edited(requireField(FORM, given, "size", true), SCHEMA), [...FORM, "required"])).toEqual([
      "name",
      "size",
    ]);
    expect(at(edited(requireField(FORM, given, "name", false), SCHEMA), FORM)).not.toHaveProperty("required");
    const gone = edited(removeField(FORM, given, "name"), SCHEMA);
    expect(at(gone, FORM)).toEqual({ type: "object", properties: { size: { type: "string", enum: ["s", "l"] } } });
    const added = edited(addField(FORM, "field", given), SCHEMA);
    expect(at(added, [...FORM, "properties", "field"])).toEqual({ type: "string" });
    expect(added).toContain("schema: # the form");
  });

  it("begin where there is none", () => {
    const bare = "name: a\nnodes:\n  ask: {call: Ask, settings: {kind: form}}\n";
    const text = edited(addField(FORM, "field", undefined), bare);
    expect(at(text, FORM)).toEqual({ type: "object", properties: { field: { type: "string" } } });
  });
});
