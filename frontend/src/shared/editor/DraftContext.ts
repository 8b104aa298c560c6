import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { DraftEditor, DraftState } from "./draftStore";

export const DraftContext = createContext<DraftEditor | null>(null);

export function useDraftHandle(): DraftEditor {
  const editor = useContext(DraftContext);
  if (!editor) throw new Error("No editor around this component");
  return editor;
}

/** Something of the open document's state. */
export function useDraft<T>(select: (state: DraftState) => T): T {
  return useStore(useDraftHandle().store, select);
}
