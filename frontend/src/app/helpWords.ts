/** The words that the help explains, by what they are about. */
export const WORDS = {
  tools: ["tool", "step", "input", "reference", "variable", "missing", "result", "cache", "schema", "curl", "sandbox"],
  graphs: ["graph", "node", "edge", "state", "join", "group", "loop"],
  runs: ["run", "visit", "environment", "secret", "draft", "version", "breakpoint", "fork", "savedTest", "recording"],
} as const;

export type Word = (typeof WORDS)[keyof typeof WORDS][number];

/** The words of a list that hold a text, in their name or in what is said about them. */
export function wordsWith<W>(words: readonly W[], wanted: string, textOf: (word: W) => string): W[] {
  const text = wanted.trim().toLowerCase();
  return words.filter((word) => textOf(word).toLowerCase().includes(text));
}
