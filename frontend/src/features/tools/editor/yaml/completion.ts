/** What can be written at a caret: fields of the place, values of a field, references. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
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
import { contextAt } from "@/shared/editor/yaml/context";

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
const LISTS = new Set(["params", "steps", "query", "var", "env"]);
const HEADERS = ["Accept", "Authorization", "Content-Type", "User-Agent", "X-Api-Key"];
const FLAGS = ["true", "false"];

/** Puts the field in with what must follow it. */
function putField(field: string) {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const rest = view.state.sliceDoc(to, to + 1);
    const insert = rest === ":" ? field : LISTS.has(field) || field === "headers" ? `${field}:` : `${field}: `;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: "input.complete",
    });
  };
}

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

export function toolCompletions(ports: CompletionPorts) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    const form = ports.form();
    const reference = /\$\{[\w:]*$/.exec(before);
    if (reference && form) {
      const closed = state.sliceDoc(pos, pos + 1) === "}";
      const options = referencesAt(form).map(({ text, kind }): Completion => ({
        label: text,
        type: kind === "step" ? "variable" : "property",
        apply: closed ? text.slice(0, -1) : text,
      }));
      return { from: line.from + reference.index, options, validFor: /^\$\{[\w:]*$/ };
    }
    const lines = state.doc.toString().split("\n");
    const { path, key, word } = contextAt(lines, line.number - 1, pos - line.from);
    const place = path.join(".");
    if (key !== null) {
      const options = valuesOf(place, key, form);
      return options.length && /^\w*$/.test(word) ? { from: pos - word.length, options, validFor: /^\w*$/ } : null;
    }
    if (!/^[\w-]*$/.test(word) || (word === "" && !context.explicit && !/^\s*(?:- *)*$/.test(before))) return null;
    if (word === "" && !context.explicit) return null;
    const fields = FIELDS[place];
    const options: Completion[] =
      place === "steps.[].headers"
        ? HEADERS.map((label) => ({ label, type: "property", apply: putField(label) }))
        : (fields ?? []).map((field) => ({
            label: field,
            type: "property",
            detail: ports.about(place, field),
            apply: putField(field),
          }));
    return options.length ? { from: pos - word.length, options, validFor: /^[\w-]*$/ } : null;
  };
}
