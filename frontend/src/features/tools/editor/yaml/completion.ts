/** What can be written at a caret in a tool: fields of the place, values of a field, references. */
import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import { type Field, yamlCompletions } from "@/shared/editor/yaml/completing";
import { referencesAt } from "../../document/references";
import {
  METHODS,
  PARAM_FIELDS,
  PARAM_TYPES,
  STEP_FIELDS,
  type ToolForm,
  TOP_FIELDS,
  VAR_FIELDS,
} from "../../document/tool";

export type FieldName =
  | (typeof TOP_FIELDS)[number]
  | (typeof PARAM_FIELDS)[number]
  | (typeof STEP_FIELDS)[number]
  | (typeof VAR_FIELDS)[number]
  | "key"
  | "value";

export interface CompletionPorts {
  form: () => ToolForm | null;
  /** What a field is for, in the reader's language. */
  about: (place: string, field: FieldName) => string;
}

const FIELDS: Record<string, readonly FieldName[]> = {
  "": TOP_FIELDS,
  "params.[]": PARAM_FIELDS,
  "steps.[]": STEP_FIELDS,
  "steps.[].var.[]": VAR_FIELDS,
  "steps.[].query.[]": ["key", "value"],
};
const OPENING = new Set(["params", "steps", "query", "var", "env", "headers"]);
const HEADERS = ["Accept", "Authorization", "Content-Type", "User-Agent", "X-Api-Key"];
const FLAGS = ["true", "false"];

function valuesOf(place: string, key: string, form: ToolForm | null): Completion[] {
  const words = (list: readonly string[]): Completion[] => list.map((label) => ({ label, type: "constant" }));
  if (place === "params.[]" && key === "type") return words(PARAM_TYPES);
  if (place === "steps.[]" && key === "method") return words(METHODS);
  if (["required", "cache", "abort"].includes(key)) return words(FLAGS);
  if ((key === "next" || key === "jump") && form) {
    return form.steps.map((step, n) => ({ label: String(n), detail: step.url.text, type: "constant" }));
  }
  return [];
}

export function toolCompletions(ports: CompletionPorts): CompletionSource {
  return yamlCompletions({
    fields: ({ path }): Field[] => {
      const place = path.join(".");
      if (place === "steps.[].headers") return HEADERS.map((name) => ({ name }));
      return (FIELDS[place] ?? []).map((name) => ({
        name,
        about: ports.about(place, name),
        opens: OPENING.has(name),
      }));
    },
    values: ({ path, key }) => (key === null ? [] : valuesOf(path.join("."), key, ports.form())),
    references: () => {
      const form = ports.form();
      if (!form) return [];
      return referencesAt(form).map(({ text, kind }) => ({
        label: text,
        type: kind === "step" ? "variable" : "property",
      }));
    },
  });
}
