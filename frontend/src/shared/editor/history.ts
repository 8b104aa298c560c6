/** One history of texts for both views: what is typed in one go is one step. */
export interface TextHistory {
  past: string[];
  present: string;
  future: string[];
  /** What the last change was, and when; the next one like it joins it. */
  last: { key: string; at: number } | null;
}

const TOGETHER_MS = 800;
const MAX_STEPS = 500;

export function startHistory(text: string): TextHistory {
  return { past: [], present: text, future: [], last: null };
}

export function pushText(history: TextHistory, text: string, key: string, at: number): TextHistory {
  if (text === history.present) return history;
  const joins = history.last !== null && history.last.key === key && key !== "" && at - history.last.at < TOGETHER_MS;
  const past = joins ? history.past : [...history.past, history.present].slice(-MAX_STEPS);
  return { past, present: text, future: [], last: { key, at } };
}

export function undo(history: TextHistory): TextHistory {
  const text = history.past.at(-1);
  if (text === undefined) return history;
  return { past: history.past.slice(0, -1), present: text, future: [history.present, ...history.future], last: null };
}

export function redo(history: TextHistory): TextHistory {
  const [text, ...future] = history.future;
  if (text === undefined) return history;
  return { past: [...history.past, history.present], present: text, future, last: null };
}
