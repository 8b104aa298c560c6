/** What a setting's JSON Schema lets one write, as the ways in which a form can edit it. */
import { Raw, type Plain, type Value } from "@/shared/yaml/plain";
import { own } from "@/shared/own";

export interface Schema {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  "x-kind"?: string;
  "x-widget"?: string;
  "x-options"?: Record<string, string>;
  "x-when"?: Record<string, string[]>;
  "x-instead"?: string;
}

export type Definitions = Record<string, Schema>;
export type Shape = "text" | "number" | "bool" | "choice" | "list" | "group" | "reference";

/** One way to write a value. */
export interface Way {
  shape: Shape;
  schema: Schema;
  /** What tells it from other ways of the same shape. */
  title?: string;
}

const DEEPEST = 20;

/** A schema with its references followed. */
export function resolved(schema: Schema, definitions: Definitions, depth = 0): Schema {
  if (depth > DEEPEST) return {};
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  if (name !== undefined) {
    const own = { ...schema };
    delete own.$ref;
    return { ...resolved(definitions[name] ?? {}, definitions, depth + 1), ...own };
  }
  if (schema.allOf?.length === 1) {
    const { allOf, ...own } = schema;
    return { ...resolved(allOf[0]!, definitions, depth + 1), ...own };
  }
  return schema;
}

const OF_TYPE: Record<string, Shape> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "bool",
  array: "list",
  object: "group",
};
const ANY: readonly Shape[] = ["text", "number", "bool", "list", "group"];

/** Every way in which a value can be written. `template` says that a reference may stand for it. */
export function waysOf(given: Schema, definitions: Definitions = {}, template = false): Way[] {
  const ways = plainWays(given, definitions, 0);
  if (!template) return ways;
  // A field for numbers takes a reference as it is, so it needs no field for texts besides.
  if (ways.length === 2 && ways.every(({ shape }) => shape === "number" || shape === "text"))
    return [{ shape: "number", schema: { type: "string" } }];
  // A map that is a setting by itself is written by its fields, each of which takes references.
  const covered = ways.some(
    ({ shape, schema }) => ["text", "number", "reference"].includes(shape) || schema.additionalProperties !== undefined,
  );
  return !covered ? [...ways, { shape: "reference", schema: { type: "string" } }] : ways;
}

function plainWays(given: Schema, definitions: Definitions, depth: number): Way[] {
  const schema = resolved(given, definitions);
  const widget = schema["x-widget"];
  if (widget === "text") return [{ shape: "text", schema }];
  if (widget === "texts") return [{ shape: "list", schema: { items: { type: "string" } } }];
  if (widget === "list")
    return [
      { shape: "reference", schema },
      { shape: "list", schema: {} },
    ];
  const either = schema.anyOf ?? schema.oneOf;
  if (either && depth < DEEPEST) {
    const ways = either.flatMap((one) => plainWays(one, definitions, depth + 1));
    return ways.filter(
      (way, index) =>
        ways.findIndex((other) => other.shape === way.shape && (way.shape !== "group" || other === way)) === index,
    );
  }
  if (schema.enum || schema.const !== undefined) return [{ shape: "choice", schema }];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) {
    if (schema.properties) return [{ shape: "group", schema, title: schema.title }];
    return ANY.map((shape) => ({ shape, schema: {} }));
  }
  return types.flatMap((type): Way[] => {
    const shape = own(OF_TYPE, type);
    return shape ? [{ shape, schema: { ...schema, type }, title: shape === "group" ? schema.title : undefined }] : [];
  });
}

const scalarText = (plain: Plain): string | undefined =>
  "text" in plain ? plain.text : "number" in plain ? plain.number : "bool" in plain ? String(plain.bool) : undefined;

/** The choices that a schema fixes, as they are written in a document. */
export function choicesOf(schema: Schema): { text: string; value: Value }[] {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return values
    .filter((value) => value !== null)
    .map((value) => ({
      text: String(value),
      value: typeof value === "string" || typeof value === "boolean" ? value : new Raw(String(value)),
    }));
}

/** How well a map fits a group: fixed values must agree, fields that are asked for count. */
function fits(entries: readonly [string, Plain][], schema: Schema): number {
  const properties = Object.entries(schema.properties ?? {});
  const given = new Map(entries);
  const wrong = properties.some(([name, one]) => {
    const value = given.get(name);
    return one.const !== undefined && value && scalarText(value) !== String(one.const);
  });
  if (wrong) return -1;
  return (
    properties.filter(([name]) => given.has(name)).length -
    (schema.required ?? []).filter((one) => !given.has(one)).length
  );
}

/** The way in which a value is written; the first one when there is none. */
export function wayOf(value: Plain | undefined, ways: readonly Way[]): Way | undefined {
  const of = (...shapes: Shape[]) => shapes.map((shape) => ways.find((way) => way.shape === shape)).find(Boolean);
  if (!value || "nothing" in value) return ways[0];
  if ("map" in value) {
    const groups = ways.filter(({ shape }) => shape === "group");
    return groups.toSorted((a, b) => fits(value.map, b.schema) - fits(value.map, a.schema))[0];
  }
  if ("seq" in value) return of("list");
  const text = scalarText(value)!;
  const choice = ways.find((way) => way.shape === "choice" && choicesOf(way.schema).some((one) => one.text === text));
  if (choice) return choice;
  if ("bool" in value) return of("bool", "text", "number");
  if ("number" in value) return of("number", "text");
  return of("text", "number", "reference", "choice") ?? ways.find(({ shape }) => shape === "bool");
}

/** What a value begins as when it is to be written in a way; what it is now is kept where it fits. */
export function freshValue({ shape, schema }: Way, now?: Plain): Value {
  const text = now ? (scalarText(now) ?? "") : "";
  switch (shape) {
    case "text":
    case "reference":
      return text;
    case "number":
      return new Raw(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? text : String(schema.default ?? schema.minimum ?? 0));
    case "bool":
      return text === "true";
    case "choice":
      return choicesOf(schema)[0]?.value ?? "";
    case "list":
      return [];
    case "group":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name, one]) => one.const !== undefined || schema.required?.includes(name))
          .flatMap(([name, one]) => {
            const [way] = waysOf(one);
            return way ? [[name, freshValue(way)]] : [];
          }),
      );
  }
}
