/** The state of one open tool: its text, the one history, what is wrong with it, how far saving is. */
import { createStore, type StoreApi } from "zustand";
import type { Tool, ToolProblem } from "@/shared/api/shapes";
import { readTool, type Reading } from "../document/tool";
import { editTool, type ToolEdit } from "../document/toolEdits";
import { toolSave } from "../requests/toolSave";
import { toolValidate } from "../requests/toolValidate";
import { pushText, redo, startHistory, type TextHistory, undo } from "./history";
import { DraftSaver, type SaveState } from "./saver";

export interface Jump {
  path: string;
  line: number;
  column: number;
  /** Counts, so that the same place can be gone to twice. */
  n: number;
  to: "form" | "yaml";
}

export interface EditorState {
  tool: Tool;
  readOnly: boolean;
  history: TextHistory;
  text: string;
  reading: Reading;
  problems: ToolProblem[];
  schema: unknown;
  /** Whether `problems` are those of `text`. */
  checked: boolean;
  save: SaveState;
  refusal: number;
  jump: Jump | null;
  edit: (edit: ToolEdit, key?: string) => boolean;
  type: (text: string, key: string) => void;
  undo: () => void;
  redo: () => void;
  goTo: (place: Omit<Jump, "n">) => void;
  adopt: (tool: Tool) => void;
  took: (tool: Tool) => void;
}

export interface Editor {
  store: StoreApi<EditorState>;
  saver: DraftSaver;
  close: () => void;
}

const CHECK_MS = 300;
const FOLLOW_MS = 60;

export function createEditor(tool: Tool, readOnly: boolean): Editor {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const saver = new DraftSaver(tool.yaml, tool.revision, {
    save: (body) => toolSave(tool.name, body),
    now: () => Date.now(),
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
      const { problems, function_schema: schema } = await toolValidate(text);
      if (mine === asked) store.setState({ problems, schema, checked: store.getState().text === text });
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
      reading = setTimeout(() => store.setState({ reading: readTool(store.getState().text) }), FOLLOW_MS);
    } else store.setState({ history, text, reading: readTool(text), checked: false });
    saver.change(text);
    clearTimeout(timer);
    timer = setTimeout(() => void check(), CHECK_MS);
  }

  const store = createStore<EditorState>((set, get) => ({
    tool,
    readOnly,
    history: startHistory(tool.yaml),
    text: tool.yaml,
    reading: readTool(tool.yaml),
    problems: tool.problems,
    schema: tool.function_schema,
    checked: true,
    save: { kind: "saved", at: null },
    refusal: 0,
    jump: null,
    edit: (edit, key = "") => {
      if (get().readOnly) return false;
      const result = editTool(get().text, edit);
      if (!result.ok) {
        set({ refusal: get().refusal + 1 });
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
    goTo: (place) => set({ jump: { ...place, n: (get().jump?.n ?? 0) + 1 } }),
    adopt: (stored) => {
      saver.adopt(stored);
      show(pushText(get().history, stored.yaml, "", Date.now()));
      get().took(stored);
    },
    took: (saved) => set({ tool: saved }),
  }));

  return {
    store,
    saver,
    close: () => {
      clearTimeout(timer);
      clearTimeout(reading);
      void saver.flush().finally(() => saver.stop());
    },
  };
}
