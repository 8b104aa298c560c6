/** References to inputs and environment names that the tool doesn't declare: no fault, but empty when it runs. */
import { templatesOf } from "./references";
import { pathText, placeOfPath, type ToolForm } from "./tool";

export interface Undeclared {
  kind: "param" | "env";
  name: string;
  path: string;
  /** Where the first such reference stands, from 1. */
  line: number;
  column: number;
}

const REFERENCE = /\$\$\{|\$\{(param|env):([^\s{}$]+)\}/g;

/** Each name once, at the place where it is first used. */
export function undeclaredIn(form: ToolForm, text: string): Undeclared[] {
  const declared = {
    param: new Set(form.params.map(({ name }) => name.text)),
    env: new Set(form.env.map((name) => name.text)),
  };
  const found = new Map<string, Undeclared>();
  for (const [index, step] of form.steps.entries()) {
    for (const template of templatesOf(step, index)) {
      for (const [reference, kind, name] of template.text.matchAll(REFERENCE)) {
        if ((kind !== "param" && kind !== "env") || !name || declared[kind].has(name) || found.has(reference)) continue;
        const field = placeOfPath(text, template.path);
        const at = text.indexOf(reference, field.offset);
        const offset = at < 0 ? field.offset : at;
        const before = text.slice(0, offset).split(/\r\n?|\n/);
        const place = { line: before.length, column: before.at(-1)!.length + 1 };
        found.set(reference, { kind, name, path: pathText(template.path), ...place });
      }
    }
  }
  return [...found.values()];
}
