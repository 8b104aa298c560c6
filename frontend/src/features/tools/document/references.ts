/** References in templates: what exists at a point, and how step numbers follow a move. */
import type { Path } from "@/shared/yaml/plain";
import type { StepForm, ToolForm } from "./tool";

export interface Reference {
  text: string;
  kind: "param" | "env" | "step";
  name: string;
  /** The step that a variable comes from. */
  step?: number;
}

/** What can be referred to; with `step`, variables of the steps before it only. */
export function referencesAt(form: ToolForm, step?: number): Reference[] {
  const named = (text: string) => /^[^\s${}]+$/.test(text);
  const params = form.params.map(({ name }) => name.text).filter(named);
  const env = form.env.map(({ text }) => text).filter(named);
  return [
    ...params.map((name): Reference => ({ text: `\${param:${name}}`, kind: "param", name })),
    ...env.map((name): Reference => ({ text: `\${env:${name}}`, kind: "env", name })),
    ...form.steps.slice(0, step ?? form.steps.length).flatMap((one, index) =>
      one.vars
        .map((variable) => variable.name.text)
        .filter(named)
        .map((name): Reference => ({ text: `\${step${index}:${name}}`, kind: "step", name, step: index })),
    ),
  ];
}

const STEP_REFERENCE = /\$\$\{|\$\{step(\d+):([^}]*)\}/g;

/** Where step `n` went: its new number, or null when it was removed. */
export type Renumbering = (n: number) => number | null;

/** Lets `${stepN:…}` follow; a reference to a removed step is taken out. `$${` stays what it is. */
export function renumberText(text: string, where: Renumbering): string {
  return text.replace(STEP_REFERENCE, (whole, step?: string, name?: string) => {
    if (step === undefined) return whole;
    const now = where(Number(step));
    if (now === Number(step)) return whole;
    return now === null ? "" : `\${step${now}:${name}}`;
  });
}

export function mentionsStep(text: string, step: number): boolean {
  return [...text.matchAll(STEP_REFERENCE)].some((found) => found[1] !== undefined && Number(found[1]) === step);
}

/** The texts of a step in which references stand. */
export function templatesOf(step: StepForm, index: number): { path: Path; text: string }[] {
  const at = (...rest: (string | number)[]): Path => ["steps", index, ...rest];
  const texts: { path: Path; text: string; kind: string }[] = [
    { path: at("url"), ...step.url },
    ...step.headers.map(({ key, value }) => ({ path: at("headers", key), ...value })),
    ...step.query.map(({ value }, i) => ({ path: at("query", i, "value"), ...value })),
    { path: at("body"), ...step.body },
    { path: at("result"), ...step.result },
  ];
  return texts.filter(({ kind }) => kind === "text");
}

/** The places that depend on a step: references to its variables, `next` and `jump` to it. */
export function usesOfStep(form: ToolForm, step: number): Path[] {
  return form.steps.flatMap((other, index) => {
    if (index === step) return [];
    const texts = templatesOf(other, index)
      .filter(({ text }) => mentionsStep(text, step))
      .map(({ path }) => path);
    const next: Path[] = other.next.text === String(step) ? [["steps", index, "next"]] : [];
    const jumps = other.vars.flatMap(({ missing }, i): Path[] =>
      missing.kind === "jump" && missing.target.text === String(step) ? [["steps", index, "var", i, "jump"]] : [],
    );
    return [...texts, ...next, ...jumps];
  });
}
