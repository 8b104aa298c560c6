/** Completion in YAML: what can be written at the caret, asked of what knows the document. */
import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { contextAt, type YamlContext } from "./context";

export interface Field {
  name: string;
  /** What it is for. */
  about?: string;
  /** Its value stands on the lines below. */
  opens?: boolean;
}

export interface Place extends YamlContext {
  /** The whole text, as it is now. */
  text: string;
}

export interface CompletionPorts {
  /** Fields that may stand at a place. */
  fields: (place: Place) => Field[];
  /** What the value of `place.key`, or an item of a list, may be. */
  values: (place: Place) => Completion[];
  /** What `${` may go on with. */
  references: (place: Place) => Completion[];
  /** What an expression may go on with; `before` is what stands before the caret. */
  expressions?: (place: Place, before: string) => { from: number; options: Completion[] } | null;
}

const WORD = /^[\p{L}\p{N}_-]*$/u;
const REFERENCE = /\$\{[^{}$]*$/;

/** Puts a field in with what must follow it. */
function putField({ name, opens }: Field, flow: boolean) {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const rest = view.state.sliceDoc(to, to + 1);
    const insert = rest === ":" ? name : opens && !flow ? `${name}:` : `${name}: `;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: "input.complete",
    });
  };
}

export function yamlCompletions(ports: CompletionPorts): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    const text = state.doc.toString();
    const place: Place = { ...contextAt(text.split("\n"), line.number - 1, pos - line.from), text };
    const reference = REFERENCE.exec(before);
    if (reference) {
      const closed = state.sliceDoc(pos, pos + 1) === "}";
      const options = ports.references(place).map((one) => ({
        ...one,
        apply: closed ? one.label.slice(0, -1) : one.label,
      }));
      return { from: line.from + reference.index, options, validFor: /^\$\{[^{}$]*$/ };
    }
    const expression = ports.expressions?.(place, before);
    if (expression) return { ...expression, from: pos - expression.from, validFor: WORD };
    const { path, key, word } = place;
    if (!WORD.test(word)) return null;
    const values = key !== null || path.at(-1) === "[]" ? ports.values(place) : [];
    if (key !== null) return values.length ? { from: pos - word.length, options: values, validFor: WORD } : null;
    if (word === "" && !context.explicit) return null;
    const fields = ports.fields(place).map((field): Completion => ({
      label: field.name,
      type: "property",
      detail: field.about,
      apply: putField(field, place.flow === true),
    }));
    const options = [...fields, ...values];
    return options.length ? { from: pos - word.length, options, validFor: WORD } : null;
  };
}
