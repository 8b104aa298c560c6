/** The typed reading of a tool's document: what the form shows. */
import type { Document } from "yaml";
import { nodeAt, type Path, type Plain, plainOf, plainResolved } from "@/shared/yaml/plain";
import { type Source, sourceOf, type Unreadable } from "@/shared/yaml/source";

export const PARAM_FIELDS = ["name", "type", "required", "description", "default"] as const;
export const STEP_FIELDS = [
  "url",
  "method",
  "headers",
  "query",
  "body",
  "timeout",
  "cache",
  "var",
  "next",
  "result",
] as const;
export const VAR_FIELDS = ["name", "extract", "default", "abort", "jump"] as const;
export const TOP_FIELDS = ["name", "desc", "params", "env", "steps"] as const;
export const PARAM_TYPES = ["string", "number", "integer", "boolean"] as const;
export const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;

/** A scalar as the form shows it. */
export interface Field {
  text: string;
  kind: "text" | "number" | "bool" | "nothing" | "absent";
}

export interface ParamForm {
  name: Field;
  type: Field;
  required: Field;
  description: Field;
  default: Field;
}

/** Whether a run can't begin without a value for this input. */
export function isWanted({ name, required, default: fallback }: ParamForm): boolean {
  return name.text !== "" && required.text === "true" && fallback.kind === "absent";
}

export type MissingForm =
  { kind: "empty" } | { kind: "default"; value: Field } | { kind: "abort" } | { kind: "jump"; target: Field };

export interface VarForm {
  name: Field;
  extract: Field;
  missing: MissingForm;
}

export interface QueryForm {
  key: Field;
  value: Field;
}

export interface StepForm {
  url: Field;
  method: Field;
  headers: { key: string; value: Field }[];
  query: QueryForm[];
  body: Field;
  timeout: Field;
  cache: Field;
  vars: VarForm[];
  next: Field;
  result: Field;
}

export interface ToolForm {
  name: Field;
  desc: Field;
  params: ParamForm[];
  env: Field[];
  steps: StepForm[];
}

/** A document that can be edited, or why not; `form` is what it means where that can be seen all the same. */
export type Reading = { ok: true; form: ToolForm } | { ok: false; reason: Unreadable; form?: ToolForm };

const ABSENT: Field = { text: "", kind: "absent" };

class ShapeError extends Error {
  constructor(readonly path: Path) {
    super();
  }
}

class Reader {
  field(plain: Plain | undefined, path: Path): Field {
    if (!plain) return ABSENT;
    if ("text" in plain) return { text: plain.text, kind: "text" };
    if ("number" in plain) return { text: plain.number, kind: "number" };
    if ("bool" in plain) return { text: String(plain.bool), kind: "bool" };
    if ("nothing" in plain) return { text: "", kind: "nothing" };
    throw new ShapeError(path);
  }

  entries(plain: Plain | undefined, path: Path): [string, Plain][] {
    if (!plain || "nothing" in plain) return [];
    if (!("map" in plain)) throw new ShapeError(path);
    return plain.map;
  }

  items(plain: Plain | undefined, path: Path): Plain[] {
    if (!plain || "nothing" in plain) return [];
    if (!("seq" in plain)) throw new ShapeError(path);
    return plain.seq;
  }

  private fields<K extends string>(plain: Plain, names: readonly K[], path: Path): Record<K, Field> {
    const found = new Map(this.entries(plain, path));
    return Object.fromEntries(names.map((name) => [name, this.field(found.get(name), [...path, name])])) as Record<
      K,
      Field
    >;
  }

  private variable(plain: Plain, path: Path): VarForm {
    const { name, extract, default: value, abort, jump } = this.fields(plain, VAR_FIELDS, path);
    const missing: MissingForm =
      jump.kind !== "absent"
        ? { kind: "jump", target: jump }
        : abort.text === "true"
          ? { kind: "abort" }
          : value.kind !== "absent"
            ? { kind: "default", value }
            : { kind: "empty" };
    return { name, extract, missing };
  }

  private step(plain: Plain, path: Path): StepForm {
    const found = new Map(this.entries(plain, path));
    const list = (name: string) => this.items(found.get(name), [...path, name]);
    const one = (name: string) => this.field(found.get(name), [...path, name]);
    return {
      url: one("url"),
      method: one("method"),
      body: one("body"),
      timeout: one("timeout"),
      cache: one("cache"),
      next: one("next"),
      result: one("result"),
      headers: this.entries(found.get("headers"), [...path, "headers"]).map(([key, value]) => ({
        key,
        value: this.field(value, [...path, "headers", key]),
      })),
      query: list("query").map((item, i) => this.fields(item, ["key", "value"], [...path, "query", i])),
      vars: list("var").map((item, i) => this.variable(item, [...path, "var", i])),
    };
  }

  tool(plain: Plain): ToolForm {
    const found = new Map(this.entries(plain, []));
    return {
      name: this.field(found.get("name"), ["name"]),
      desc: this.field(found.get("desc"), ["desc"]),
      params: this.items(found.get("params"), ["params"]).map((item, i) =>
        this.fields(item, PARAM_FIELDS, ["params", i]),
      ),
      env: this.items(found.get("env"), ["env"]).map((item, i) => this.field(item, ["env", i])),
      steps: this.items(found.get("steps"), ["steps"]).map((item, i) => this.step(item, ["steps", i])),
    };
  }
}

export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${part}` : part;
  }, "");
}

/** The form of a document that can be read, but not edited by places. */
function lookedAt(source: Source, { why }: Unreadable): ToolForm | undefined {
  const plain = why === "alias" || why === "tag" ? plainResolved(source.doc) : null;
  try {
    return plain ? new Reader().tool(plain) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a document for the form, or says why the form can't edit it. */
export function readTool(text: string): Reading {
  const source = sourceOf(text);
  const reason = source.trouble();
  if (reason) return { ok: false, reason, form: lookedAt(source, reason) };
  try {
    return { ok: true, form: new Reader().tool(plainOf(source.doc.contents)) };
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const node = nodeAt(source.doc.contents, error.path);
    return {
      ok: false,
      reason: { why: "shape", path: pathText(error.path), line: source.lineOf(node?.range?.[0] ?? 0) },
    };
  }
}

/** The line (from 1) and offset at which something of the document stands; its nearest parent's when it doesn't exist. */
export function placeOfPath(text: string, path: Path): { line: number; offset: number } {
  const source = sourceOf(text);
  const doc: Document = source.doc;
  for (let n = path.length; n > 0; n -= 1) {
    const node = nodeAt(doc.contents, path.slice(0, n));
    if (node?.range) return { line: source.lineOf(node.range[0]), offset: node.range[0] };
  }
  return { line: 1, offset: 0 };
}
