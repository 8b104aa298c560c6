/** The fields of a form that a run shows to a person, and what was put into them as a value. */
import { fromPlain, parseExact, writeJson } from "@/shared/json/exact";
import type { Question } from "./visits";

type Plain = Record<string, unknown>;
const isMap = (value: unknown): value is Plain => typeof value === "object" && value !== null && !Array.isArray(value);

export interface Field {
  name: string;
  label: string;
  description: string;
  type: string;
  /** What may be chosen, each text once. */
  choices: { text: string; value: unknown }[] | null;
  required: boolean;
  initial: string;
}

/** What was typed, by field; a map, because a field may have any name. */
export type Typed = ReadonlyMap<string, string>;

/** A value as it is shown and typed: text as it is, everything else as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : writeJson(fromPlain(value));

/** What is asked. The server's own question is said in the reader's language; one of a graph as its author wrote it. */
export const askedIn = ({ question, reason }: Question, say: (text: string) => string): string =>
  reason === "interrupted" ? say(textOf(question)) : textOf(question);

function choicesOf(given: unknown): Field["choices"] {
  if (!Array.isArray(given)) return null;
  const choices = new Map<string, unknown>();
  for (const value of given) if (!choices.has(textOf(value))) choices.set(textOf(value), value);
  return [...choices].map(([text, value]) => ({ text, value }));
}

export function fieldsOf(schema: unknown): Field[] {
  if (!isMap(schema) || !isMap(schema.properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(textOf) : []);
  return Object.entries(schema.properties).map(([name, given]) => {
    const property = isMap(given) ? given : {};
    return {
      name,
      label: typeof property.title === "string" ? property.title : name,
      description: typeof property.description === "string" ? property.description : "",
      type: typeof property.type === "string" ? property.type : "json",
      choices: choicesOf(property.enum),
      required: required.has(name),
      initial: textOf(property.default),
    };
  });
}

export const shownIn = (field: Field, typed: Typed): string => typed.get(field.name) ?? field.initial;

/** What was typed as what the schema wants; what isn't JSON where JSON is wanted is sent as text and refused there. */
function valueOf(field: Field, text: string): unknown {
  if (field.type === "boolean") return text === "true";
  const chosen = field.choices?.find((choice) => choice.text === text);
  if (chosen) return chosen.value;
  if (field.type === "string") return text;
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

export function formValue(fields: readonly Field[], typed: Typed): Plain {
  return Object.fromEntries(
    fields
      .map((field) => [field, shownIn(field, typed)] as const)
      .filter(([field, text]) => text !== "" || field.required || field.type === "boolean")
      .map(([field, text]) => [field.name, valueOf(field, text)]),
  );
}
