/** What one has answered in this page, shown for a while where the question stood. */
import { create } from "zustand";

export interface GivenAnswer {
  run: string;
  visit: string;
  node: string;
  asked: string;
  answer: string;
}

/** How long, in ms: long enough to see what was sent, and to open the run. */
export const SHOWN_MS = 60_000;

interface State {
  given: readonly GivenAnswer[];
  add: (answer: GivenAnswer) => void;
}

export const useAnswers = create<State>((set) => ({
  given: [],
  add: (answer) => {
    set(({ given }) => ({ given: [...given, answer] }));
    setTimeout(() => set(({ given }) => ({ given: given.filter((one) => one !== answer) })), SHOWN_MS);
  },
}));

const LONG = 200;

/** An answer in a few words: yes or no, what was chosen or typed, fields by name. */
export function answerText(
  value: unknown,
  words: { yes: string; no: string },
  textOf: (value: unknown) => string,
): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const text = isMap
    ? Object.entries(value)
        .map(([name, one]) => `${name}: ${textOf(one)}`)
        .join(", ")
    : textOf(value);
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
}
