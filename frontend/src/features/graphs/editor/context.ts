/** The open graph, and what is selected and shown of it. */
import { createContext, useContext, useRef } from "react";
import { create, useStore, type StoreApi, type UseBoundStore } from "zustand";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { CallInfo } from "@/shared/api/shapes";
import { useDraft, useDraftHandle } from "@/shared/editor/DraftContext";
import { createDraftEditor, type DraftEditor, type DraftState } from "@/shared/editor/draftStore";
import { useSay } from "@/shared/i18n/sentences";
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
      validate: async (text) => ({ ...(await graphValidate(text)), schema: null }),
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

export type InspectorTab = "settings" | "input" | "output" | "events";
export const DOCK_TABS = [
  "run",
  "variables",
  "trace",
  "timeline",
  "events",
  "breakpoints",
  "tests",
  "problems",
] as const;
export type DockTab = (typeof DOCK_TABS)[number];

export interface Ui {
  selected: ReadonlySet<string>;
  edge: number | null;
  /** What the panel at the right shows of a step, while a run is watched. */
  panel: InspectorTab;
  /** What is open below the canvas. */
  dock: DockTab | null;
  /** Whether the watched run goes on. */
  live: boolean;
  picker: PickerState | null;
  menu: { left: number; top: number; name: string } | null;
  /** Whether the search over the canvas is open. */
  find: boolean;
  /** Counts the wishes to rename: the name's field takes the focus. */
  rename: number;
  enter: number;
  /** How many of both the field has followed. */
  wishesMet: number;
  select: (ids: Iterable<string>) => void;
  selectEdge: (index: number | null) => void;
  set: (some: Partial<Ui>) => void;
}

export function createUi(dock: DockTab | null): UseBoundStore<StoreApi<Ui>> {
  return create<Ui>((set) => ({
    selected: new Set(),
    edge: null,
    panel: "settings",
    dock,
    live: false,
    picker: null,
    menu: null,
    find: false,
    rename: 0,
    enter: 0,
    wishesMet: 0,
    select: (ids) => set({ selected: new Set(ids), edge: null }),
    selectEdge: (edge) => set({ edge, selected: new Set() }),
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
  const say = useSay();
  const found = useEditor(
    (state) => state.problems.find((one) => one.path === path || (below && one.path.startsWith(`${path}.`)))?.message,
  );
  return found && say(found);
}
