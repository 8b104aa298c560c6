/** What the server says, in the reader's language. It says everything in English, to programs and people alike. */
import { useSyncExternalStore } from "react";

export type Say = (text: string) => string;

const asItIs: Say = (text) => text;
const listeners = new Set<() => void>();
let chinese: Say | null = null;
let loading = false;
let said: Say = asItIs;

function change(next: Say): void {
  said = next;
  listeners.forEach((tell) => tell());
}

/** Most pages show nothing that the server said, so that the catalogue comes with the first sentence. */
const untilLoaded: Say = (text) => {
  if (text && !loading) void load();
  return text;
};

async function load(): Promise<void> {
  loading = true;
  try {
    chinese = (await import("./zh")).default;
    if (said === untilLoaded) change(chinese);
  } catch {
    loading = false; // the server is away: its sentences stay as they are, until the next one
  }
}

/** Takes the language of the pages; what is shown already is said anew once the catalogue is here. */
export function pickSentences(language: string): void {
  change(language === "zh" ? (chinese ?? untilLoaded) : asItIs);
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** What says a sentence now. */
export const saying = (): Say => said;

/** Gives what says a sentence of the server's in the reader's language; an unknown text stays as it is. */
export function useSay(): Say {
  return useSyncExternalStore(subscribe, saying);
}
