/** Edits in the words of a tool: each becomes edits of the YAML text. */
import { applyEdits, type Edit, type EditResult } from "@/shared/yaml/edit";
import { type Path, Raw, type Value } from "@/shared/yaml/plain";
import { type Renumbering, renumberText, templatesOf } from "./references";
import { type Field, PARAM_FIELDS, readTool, STEP_FIELDS, type ToolForm, TOP_FIELDS, VAR_FIELDS } from "./tool";

/** A request that came from elsewhere, with the names that it takes from the environment. */
export interface GivenRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  query: { key: string; value: string }[];
  body: string | null;
  timeout: number | null;
  env: readonly string[];
}

export type ToolEdit =
  | { do: "text"; path: Path; value: string; optional?: boolean }
  | { do: "whole"; path: Path; value: number | null }
  | { do: "flag"; path: Path; value: boolean; optional?: boolean }
  | { do: "default"; param: number; value: string | null; type: string }
  | { do: "missing"; step: number; index: number; missing: MissingChoice }
  | { do: "addParam"; name: string }
  | { do: "addEnv"; name: string }
  | { do: "addStep"; index: number; request?: GivenRequest }
  | { do: "request"; step: number; request: GivenRequest }
  | { do: "addHeader"; step: number; key: string; value: string }
  | { do: "renameHeader"; step: number; key: string; to: string }
  | { do: "addQuery"; step: number }
  | { do: "addVar"; step: number; name: string; extract?: string; missing?: MissingChoice }
  | { do: "remove"; path: Path }
  | { do: "move"; path: Path; from: number; to: number };

export type MissingChoice =
  { kind: "empty" } | { kind: "default"; value: string } | { kind: "abort" } | { kind: "jump"; target: number };

/** The order of fields around a path. */
function orderFor(path: Path): readonly string[] {
  if (path.length === 1) return TOP_FIELDS;
  if (path[0] === "params") return PARAM_FIELDS;
  if (path[2] === "var" && path.length === 5) return VAR_FIELDS;
  if (path[2] === "query" && path.length === 5) return ["key", "value"];
  return path[0] === "steps" && path.length === 3 ? STEP_FIELDS : [];
}

const set = (path: Path, value: Value): Edit => ({ op: "set", path, value, order: orderFor(path) });

function countAt(form: ToolForm, path: Path): number {
  const [top, step, part] = path;
  if (path.length === 1) return form[top as "params" | "env" | "steps"].length;
  const one = form.steps[step as number];
  if (part === "headers") return one?.headers.length ?? 0;
  return one?.[part === "var" ? "vars" : "query"].length ?? 0;
}

/** Adds to a list, which is made when it isn't there. */
function add(form: ToolForm, path: Path, index: number, value: Value): Edit {
  return countAt(form, path) === 0 && path[0] !== "steps"
    ? set(path, [value])
    : path.length === 3 && countAt(form, path) === 0
      ? set(path, [value])
      : { op: "insert", path, index, value };
}

/** How the steps' numbers change when the list changes. */
function follow(form: ToolForm, where: Renumbering): Edit[] {
  const changes = form.steps
    .flatMap((step, index) =>
      templatesOf(step, index).map(({ path, text }) => ({ path, text, value: renumberText(text, where) })),
    )
    .filter(({ text, value }) => text !== value)
    .map(({ path, value }) => ({ path, value, source: (source: string) => renumberText(source, where) }));
  const target = (path: Path, field: Field): Edit[] => {
    if (field.kind !== "number" || !/^\d+$/.test(field.text)) return [];
    const now = where(Number(field.text));
    if (String(now) === field.text) return [];
    return [now === null ? { op: "remove", path } : set(path, new Raw(String(now)))];
  };
  const jumps = form.steps.flatMap((step, index) => [
    ...target(["steps", index, "next"], step.next),
    ...step.vars.flatMap(({ missing }, i) =>
      missing.kind === "jump" ? target(["steps", index, "var", i, "jump"], missing.target) : [],
    ),
  ]);
  return [...(changes.length ? [{ op: "texts" as const, changes }] : []), ...jumps];
}

function removal(form: ToolForm, path: Path): Edit[] {
  const list = path.slice(0, -1);
  const inList = typeof path.at(-1) === "number" || list[2] === "headers";
  if (path[0] === "steps" && path.length === 2) {
    const gone = path[1] as number;
    return [...follow(form, (n) => (n === gone ? null : n > gone ? n - 1 : n)), { op: "remove", path }];
  }
  return [{ op: "remove", path: inList && countAt(form, list) === 1 ? list : path }];
}

function moving(form: ToolForm, path: Path, from: number, to: number): Edit[] {
  const move: Edit = { op: "move", path, from, to };
  if (path[0] !== "steps" || path.length > 1) return [move];
  const where: Renumbering = (n) => {
    if (n === from) return to;
    if (from < n && n <= to) return n - 1;
    return to <= n && n < from ? n + 1 : n;
  };
  return [...follow(form, where), move];
}

function missingEdits(form: ToolForm, step: number, index: number, choice: MissingChoice): Edit[] {
  const at = (name: string): Path => ["steps", step, "var", index, name];
  const old = form.steps[step]?.vars[index]?.missing;
  const remove = (name: string): Edit[] => (name === choice.kind ? [] : [{ op: "remove", path: at(name) }]);
  const gone: Edit[] = ["default", "abort", "jump"].flatMap(remove);
  if (choice.kind === "empty") return gone;
  if (choice.kind === "default") return [set(at("default"), choice.value), ...gone];
  if (choice.kind === "abort") return old?.kind === "abort" ? [] : [set(at("abort"), true), ...gone];
  return [set(at("jump"), new Raw(String(choice.target))), ...gone];
}

/** What an entry says about a value that is missing. */
function missingFields(choice: MissingChoice | undefined): { [field: string]: Value } {
  switch (choice?.kind) {
    case "default":
      return { default: choice.value };
    case "abort":
      return { abort: true };
    case "jump":
      return { jump: new Raw(String(choice.target)) };
    default:
      return {};
  }
}

/** The fields of a request, in the order in which a step has them; null for what it doesn't have. */
function requestFields({ url, method, headers, query, body, timeout }: GivenRequest): [string, Value | null][] {
  return [
    ["url", url],
    ["method", method],
    ["headers", Object.keys(headers).length ? headers : null],
    ["query", query.length ? query.map(({ key, value }) => ({ key, value })) : null],
    ["body", body],
    ["timeout", timeout === null ? null : new Raw(String(timeout))],
  ];
}

function declared(form: ToolForm, names: readonly string[]): Edit[] {
  const fresh = names.filter((name) => !form.env.some(({ text }) => text === name));
  if (fresh.length === 0) return [];
  return form.env.length === 0 ? [set(["env"], [...fresh])] : [{ op: "extend", path: ["env"], values: fresh }];
}

function newStep(request: GivenRequest | undefined): Value {
  if (!request) return { url: "", method: "GET" };
  return Object.fromEntries(requestFields(request).filter((entry): entry is [string, Value] => entry[1] !== null));
}

/** Another request in the place of a step's; its variables, its result and where it goes on stay. */
function requestEdits(form: ToolForm, index: number, request: GivenRequest): Edit[] {
  const step = form.steps[index];
  if (!step) return [];
  const there: Record<string, boolean> = {
    headers: step.headers.length > 0,
    query: step.query.length > 0,
    body: step.body.kind !== "absent",
  };
  return requestFields(request).flatMap(([field, value]): Edit[] => {
    const path: Path = ["steps", index, field];
    const gone: Edit[] = there[field] ? [{ op: "remove", path }] : [];
    return value === null ? gone : [...gone, set(path, value)];
  });
}

/** A default is written in its parameter's type; what doesn't fit stays text, for the problem list to tell. */
export function defaultValue(text: string, type: string): Value {
  if (type === "integer" && /^-?(?:0|[1-9]\d*)$/.test(text)) return new Raw(text);
  if (type === "number" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return new Raw(text);
  if (type === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return text;
}

function editsFor(form: ToolForm, edit: ToolEdit): Edit[] {
  switch (edit.do) {
    case "text":
      return edit.optional && edit.value === "" ? removal(form, edit.path) : [set(edit.path, edit.value)];
    case "whole":
      return edit.value === null ? removal(form, edit.path) : [set(edit.path, new Raw(String(edit.value)))];
    case "flag":
      return edit.optional && !edit.value ? removal(form, edit.path) : [set(edit.path, edit.value)];
    case "default": {
      const path: Path = ["params", edit.param, "default"];
      return edit.value === null ? removal(form, path) : [set(path, defaultValue(edit.value, edit.type))];
    }
    case "missing":
      return missingEdits(form, edit.step, edit.index, edit.missing);
    case "addParam":
      return [
        add(form, ["params"], form.params.length, { name: edit.name, type: "string", required: true, description: "" }),
      ];
    case "addEnv":
      return [add(form, ["env"], form.env.length, edit.name)];
    case "addStep":
      return [
        ...follow(form, (n) => (n >= edit.index ? n + 1 : n)),
        { op: "insert", path: ["steps"], index: edit.index, value: newStep(edit.request) },
        ...declared(form, edit.request?.env ?? []),
      ];
    case "request":
      return [...requestEdits(form, edit.step, edit.request), ...declared(form, edit.request.env)];
    case "addHeader": {
      const path: Path = ["steps", edit.step, "headers"];
      if (countAt(form, path) === 0) return [set(path, { [edit.key]: edit.value })];
      return [set([...path, edit.key], edit.value)];
    }
    case "renameHeader":
      return [{ op: "rename", path: ["steps", edit.step, "headers", edit.key], key: edit.to }];
    case "addQuery":
      return [
        add(form, ["steps", edit.step, "query"], countAt(form, ["steps", edit.step, "query"]), { key: "", value: "" }),
      ];
    case "addVar":
      return [
        add(form, ["steps", edit.step, "var"], countAt(form, ["steps", edit.step, "var"]), {
          name: edit.name,
          extract: edit.extract ?? "",
          ...missingFields(edit.missing),
        }),
      ];
    case "remove":
      return removal(form, edit.path);
    case "move":
      return moving(form, edit.path, edit.from, edit.to);
  }
}

/** Makes an edit of the form in the YAML text, or refuses it and leaves the text. */
export function editTool(text: string, edit: ToolEdit): EditResult {
  const reading = readTool(text);
  if (!reading.ok) return { ok: false, why: "unreadable" };
  return applyEdits(text, editsFor(reading.form, edit));
}
