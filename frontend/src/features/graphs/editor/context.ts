/** The open graph, and what is selected and shown of it. */
import { createContext, useContext, useRef } from "react";
import { create, useStore, type StoreApi, type UseBoundStore } from "zustand";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { CallInfo } from "@/shared/api/shapes";
import { useDraft, useDraftHandle } from "@/shared/editor/DraftContext";
import { createDraftEditor, type DraftEditor, type DraftState } from "@/shared/editor/draftStore";
import { type Graph, type Reading, readGraph } from "../document/graph";
import { editGraph, type GraphEdit } from "../document/graphEdits";
import { callsQuery } from "../requests/callList";
import { type GraphDraft, graphKind, graphValidate } from "../requests/graphRequests";

export type Editor = DraftEditor<GraphDraft, Reading, GraphEdit>;
export type EditorState = DraftState<GraphDraft, Reading, GraphEdit>;

export function createGraphEditor(graph: GraphDraft, readOnly: boolean): Editor {
  return createDraftEditor(
    {
      kind: graphKind,
      read: readGraph,
      edit: editGraph,
      validate: async (text) => ({ problems: (await graphValidate(text)).problems, schema: null }),
      schema: () => null,
    },
    graph,
    readOnly,
  );
}

export const useEditorHandle = useDraftHandle as unknown as () => Editor;
export const useEditor = useDraft as unknown as <T>(select: (state: EditorState) => T) => T;

export interface PickerState {
  /** Where it opens, in pixels of the canvas. */
  left: number;
  top: number;
  /** Where the step goes on the canvas; beside `from` when absent. */
  at?: { x: number; y: number };
  from?: string;
  /** What is picked: a kind of step, or a step to connect to. */
  what: "call" | "target" | "both";
}

export interface Ui {
  selected: ReadonlySet<string>;
  edge: number | null;
  panel: "settings" | "run";
  picker: PickerState | null;
  menu: { left: number; top: number; name: string } | null;
  /** Counts the wishes to rename: the name's field takes the focus. */
  rename: number;
  enter: number;
  /** Steps at which a debug run stops; kept in this browser. */
  breakpoints: ReadonlySet<string>;
  toggleBreakpoint: (name: string) => void;
  select: (ids: Iterable<string>) => void;
  selectEdge: (index: number | null) => void;
  set: (some: Partial<Ui>) => void;
}

function storedBreakpoints(key: string): Set<string> {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "[]") as unknown;
    return new Set(Array.isArray(stored) ? stored.map(String) : []);
  } catch {
    return new Set();
  }
}

export function createUi(graph: string): UseBoundStore<StoreApi<Ui>> {
  const key = `workbench.breakpoints.${graph}`;
  return create<Ui>((set, get) => ({
    breakpoints: storedBreakpoints(key),
    toggleBreakpoint: (name) => {
      const next = new Set(get().breakpoints);
      if (!next.delete(name)) next.add(name);
      localStorage.setItem(key, JSON.stringify([...next]));
      set({ breakpoints: next });
    },
    selected: new Set(),
    edge: null,
    panel: "settings",
    picker: null,
    menu: null,
    rename: 0,
    enter: 0,
    select: (ids) => set({ selected: new Set(ids), edge: null, panel: "settings" }),
    selectEdge: (edge) => set({ edge, selected: new Set(), panel: "settings" }),
    set: (some) => set(some),
  }));
}

export const UiContext = createContext<StoreApi<Ui> | null>(null);

export function useUiHandle(): StoreApi<Ui> {
  const ui = useContext(UiContext);
  if (!ui) throw new Error("No editor around this component");
  return ui;
}

export function useUi<T>(select: (state: Ui) => T): T {
  return useStore(useUiHandle(), select);
}

const EMPTY = readGraph("name: a\n");

/** The graph as it was last understood, and whether it can be edited now. */
export function useGraph(): { graph: Graph; locked: boolean } {
  const reading = useEditor((state) => state.reading);
  const readOnly = useEditor((state) => state.readOnly);
  const last = useRef<Graph>(EMPTY.graph!);
  if (reading.graph) last.current = reading.graph;
  return { graph: last.current, locked: readOnly || !reading.ok };
}

export function useCalls(): CallInfo[] {
  const { i18n } = useTranslation();
  return useQuery(callsQuery(i18n.language)).data ?? [];
}

/** The first problem at a path or below it. */
export function useProblem(path: string, below = false): string | undefined {
  return useEditor(
    (state) => state.problems.find((one) => one.path === path || (below && one.path.startsWith(`${path}.`)))?.message,
  );
}
