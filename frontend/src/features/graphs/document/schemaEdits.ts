/** A JSON Schema in the document as fields that a form can edit, and the edits of them. */
import type { Edit } from "@/shared/yaml/edit";
import { Flow, type Path, type Plain, type Value } from "@/shared/yaml/plain";
import { fieldOf, textOf } from "./graph";
import { type GraphEdit, put, putting } from "./graphEdits";
import { freeName } from "./names";

export const FIELD_TYPES = ["string", "integer", "number", "boolean", "choice", "texts", "object", "objects"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export interface SchemaField {
  name: string;
  /** What the form knows; null for what it doesn't. */
  type: FieldType | null;
  title: string;
  description: string;
  required: boolean;
  choices: string[];
}

const entriesOf = (plain: Plain | undefined) => (plain && "map" in plain ? plain.map : []);
const textsOf = (plain: Plain | undefined) => (plain && "seq" in plain ? plain.seq.map(textOf) : []);

function typeOf(plain: Plain): FieldType | null {
  const of = (name: string) => fieldOf(entriesOf(plain), name);
  if (["anyOf", "oneOf", "allOf", "$ref", "not", "const"].some((name) => of(name))) return null;
  const type = textOf(of("type"));
  if (of("enum")) return type === "string" || type === "" ? "choice" : null;
  if (type === "array") {
    const items = textOf(fieldOf(entriesOf(of("items")), "type"));
    if (items === "object") return "objects";
    return items === "string" && entriesOf(of("items")).length === 1 ? "texts" : null;
  }
  return ["string", "integer", "number", "boolean", "object"].includes(type) ? (type as FieldType) : null;
}

/** The fields of a schema; null when it is no object with properties. */
export function fieldsOf(plain: Plain | undefined): SchemaField[] | null {
  if (!plain || "nothing" in plain) return [];
  if (!("map" in plain)) return null;
  const type = fieldOf(plain.map, "type");
  const properties = fieldOf(plain.map, "properties");
  if ((type && textOf(type) !== "object") || (properties && !("map" in properties) && !("nothing" in properties)))
    return null;
  if (["anyOf", "oneOf", "allOf", "$ref"].some((name) => fieldOf(plain.map, name))) return null;
  const required = textsOf(fieldOf(plain.map, "required"));
  return entriesOf(properties).map(([name, one]) => ({
    name,
    type: typeOf(one),
    title: textOf(fieldOf(entriesOf(one), "title")),
    description: textOf(fieldOf(entriesOf(one), "description")),
    required: required.includes(name),
    choices: textsOf(fieldOf(entriesOf(one), "enum")),
  }));
}

/** Where the fields below a field stand. */
export function below(path: Path, { name, type }: SchemaField): Path {
  return [...path, "properties", name, ...(type === "objects" ? ["items"] : [])];
}

export const addField =
  (path: Path, wanted: string, given: Plain | undefined): GraphEdit =>
  (graph, root) => {
    const known = entriesOf(fieldOf(entriesOf(given), "properties")).map(([name]) => name);
    const value: Value = { type: "string" };
    const name = freeName(wanted, new Set(known));
    if (entriesOf(given).length === 0) return put(path, { type: "object", properties: { [name]: value } })(graph, root);
    const typed = fieldOf(entriesOf(given), "type") ? [] : putting(root, [...path, "type"], "object");
    return [...typed, ...putting(root, [...path, "properties", name], value)];
  };

function withoutRequired(path: Path, given: Plain | undefined, name: string): Edit[] {
  const required = textsOf(fieldOf(entriesOf(given), "required"));
  const index = required.indexOf(name);
  if (index < 0) return [];
  return [{ op: "remove", path: required.length === 1 ? [...path, "required"] : [...path, "required", index] }];
}

export const removeField =
  (path: Path, given: Plain | undefined, name: string): GraphEdit =>
  () => [...withoutRequired(path, given, name), { op: "remove", path: [...path, "properties", name] }];

export const renameField =
  (path: Path, given: Plain | undefined, from: string, to: string): GraphEdit =>
  (_, root) => {
    const index = textsOf(fieldOf(entriesOf(given), "required")).indexOf(from);
    return [
      ...(index < 0 ? [] : putting(root, [...path, "required", index], to)),
      { op: "rename", path: [...path, "properties", from], key: to },
    ];
  };

export const requireField =
  (path: Path, given: Plain | undefined, name: string, on: boolean): GraphEdit =>
  () => {
    if (!on) return withoutRequired(path, given, name);
    const required = fieldOf(entriesOf(given), "required");
    if (required && "seq" in required)
      return [{ op: "insert", path: [...path, "required"], index: required.seq.length, value: name }];
    return [{ op: "set", path: [...path, "required"], value: new Flow([name]) }];
  };

/** What each type writes, besides the field's own texts. */
const WRITTEN: Record<FieldType, Record<string, Value>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  choice: { type: "string", enum: new Flow(["yes", "no"]) },
  texts: { type: "array", items: new Flow({ type: "string" }) },
  object: { type: "object", properties: { name: { type: "string" } } },
  objects: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
};
/** Of a field's own keys, those that only one type has. */
const TYPED = ["enum", "items", "properties", "required", "additionalProperties", "default", "minimum", "maximum"];

export const retypeField =
  (path: Path, given: Plain | undefined, name: string, type: FieldType): GraphEdit =>
  (_, root) => {
    const base = [...path, "properties", name];
    const now = entriesOf(fieldOf(entriesOf(fieldOf(entriesOf(given), "properties")), name));
    return [
      ...TYPED.filter((key) => fieldOf(now, key)).map((key): Edit => ({ op: "remove", path: [...base, key] })),
      ...putting(root, [...base, "type"], WRITTEN[type].type!),
      ...Object.entries(WRITTEN[type])
        .filter(([key]) => key !== "type")
        .map(([key, value]): Edit => ({ op: "set", path: [...base, key], value })),
    ];
  };
