/** The state of one open document: its text, the one history, what is wrong with it, how far saving is. */
import { createStore, type StoreApi } from "zustand";
import { serverNow } from "@/shared/api/serverClock";
import type { PlacedProblem } from "@/shared/api/shapes";
import type { EditResult } from "@/shared/yaml/edit";
import type { Draft, DraftKind } from "./draft";
import { pushText, redo, startHistory, type TextHistory, undo } from "./history";
import { DraftSaver, type SaveState } from "./saver";
import { flushFields } from "./useField";

export interface Jump {
  path: string;
  line: number;
  column: number;
  /** Counts, so that the same place can be gone to twice. */
  n: number;
  to: "form" | "yaml";
  /** Selects what the field holds, so that typing replaces it. */
  select?: boolean;
}

export interface DraftState<D extends Draft = Draft, R = unknown, E = never> {
  draft: D;
  readOnly: boolean;
  history: TextHistory;
  text: string;
  reading: R;
  problems: PlacedProblem[];
  /** What is most likely not meant. */
  warnings: PlacedProblem[];
  schema: unknown;
  /** Whether `problems` and `warnings` are those of `text`. */
  checked: boolean;
  save: SaveState;
  /** The last edit that was refused: how many there were, and what the server would have said of it. */
  refusal: { n: number; told?: string };
  jump: Jump | null;
  edit: (edit: E, key?: string) => boolean;
  type: (text: string, key: string) => void;
  undo: () => void;
  redo: () => void;
  refuse: (told?: string) => void;
  goTo: (place: Omit<Jump, "n">) => void;
  adopt: (draft: D) => void;
  took: (draft: D) => void;
}

export interface DraftEditor<D extends Draft = Draft, R = unknown, E = never> {
  kind: DraftKind<D>;
  store: StoreApi<DraftState<D, R, E>>;
  saver: DraftSaver<D>;
  close: () => void;
}

/** What the server says of a text. */
export interface Checked {
  problems: PlacedProblem[];
  warnings?: PlacedProblem[];
  schema: unknown;
}

/** What one kind of document knows besides its requests. */
export interface DraftSense<D extends Draft, R, E> {
  kind: DraftKind<D>;
  read: (text: string) => R;
  edit: (text: string, edit: E) => EditResult;
  validate: (text: string) => Promise<Checked>;
  schema: (draft: D) => unknown;
}

const CHECK_MS = 300;
const FOLLOW_MS = 60;

export function createDraftEditor<D extends Draft, R, E>(
  sense: DraftSense<D, R, E>,
  draft: D,
  readOnly: boolean,
): DraftEditor<D, R, E> {
  const { kind, read } = sense;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const saver = new DraftSaver<D>(draft.yaml, draft.revision, {
    save: (body) => kind.save(draft.name, body),
    now: serverNow,
    later: (call, ms) => {
      const id = setTimeout(call, ms);
      return () => clearTimeout(id);
    },
    onState: (save) => store.setState({ save }),
    onSaved: (saved) => store.getState().took(saved),
  });

  async function check(): Promise<void> {
    const { text } = store.getState();
    const mine = (asked += 1);
    try {
      const { problems, warnings = [], schema } = await sense.validate(text);
      if (mine === asked) store.setState({ problems, warnings, schema, checked: store.getState().text === text });
    } catch {
      /* The connection mark and the save state tell; the marks stay as they were. */
    }
  }

  /** Shows a text. While someone types in the YAML the form follows a moment later, so that typing stays light. */
  function show(history: TextHistory, soon = false): void {
    const text = history.present;
    if (text === store.getState().text) {
      store.setState({ history });
      return;
    }
    clearTimeout(reading);
    if (soon) {
      store.setState({ history, text, checked: false });
      reading = setTimeout(() => store.setState({ reading: read(store.getState().text) }), FOLLOW_MS);
    } else store.setState({ history, text, reading: read(text), checked: false });
    saver.change(text);
    clearTimeout(timer);
    timer = setTimeout(() => void check(), CHECK_MS);
  }

  const store = createStore<DraftState<D, R, E>>((set, get) => ({
    draft,
    readOnly,
    history: startHistory(draft.yaml),
    text: draft.yaml,
    reading: read(draft.yaml),
    problems: draft.problems,
    warnings: draft.warnings ?? [],
    schema: sense.schema(draft),
    checked: true,
    save: { kind: "saved", at: null },
    refusal: { n: 0 },
    jump: null,
    edit: (edit, key = "") => {
      if (get().readOnly) return false;
      const result = sense.edit(get().text, edit);
      if (!result.ok) {
        get().refuse();
        return false;
      }
      show(pushText(get().history, result.text, key, Date.now()));
      return true;
    },
    type: (text, key) => {
      if (!get().readOnly) show(pushText(get().history, text, key, Date.now()), true);
    },
    undo: () => show(undo(get().history)),
    redo: () => show(redo(get().history)),
    refuse: (told) => set({ refusal: { n: get().refusal.n + 1, told } }),
    goTo: (place) => set({ jump: { ...place, n: (get().jump?.n ?? 0) + 1 } }),
    adopt: (stored) => {
      saver.adopt(stored);
      show(pushText(get().history, stored.yaml, "", Date.now()));
      get().took(stored);
    },
    took: (saved) => set({ draft: saved }),
  }));

  return {
    kind,
    store,
    saver,
    close: () => {
      flushFields();
      clearTimeout(timer);
      clearTimeout(reading);
      void saver.flush().finally(() => saver.stop());
    },
  };
}
