/** What the server says, in the reader's language. It says everything in English, to programs and people alike. */
import { useSyncExternalStore } from "react";

export type Say = (text: string) => string;

const asItIs: Say = (text) => text;
const listeners = new Set<() => void>();
let said: Say = asItIs;
let chinese: Say | null = null;
let wanted = "en";

function change(next: Say): void {
  said = next;
  listeners.forEach((tell) => tell());
}

/** Takes the language of the pages; what is shown already is said anew once the catalogue is here. */
export function pickSentences(language: string): void {
  wanted = language;
  change(wanted === "zh" ? (chinese ?? asItIs) : asItIs);
  if (wanted !== "zh" || chinese) return;
  void import("./zh").then(
    (loaded) => {
      chinese = loaded.default;
      if (wanted === "zh") change(chinese);
    },
    () => undefined, // the server is away: its sentences stay as they are
  );
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** Gives what says a sentence of the server's in the reader's language; an unknown text stays as it is. */
export function useSay(): Say {
  return useSyncExternalStore(subscribe, () => said);
}
