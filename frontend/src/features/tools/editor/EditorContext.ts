import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { Editor, EditorState } from "./editorStore";

export const EditorContext = createContext<Editor | null>(null);

export function useEditorHandle(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("No editor around this component");
  return editor;
}

/** Something of the open tool's state. */
export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(useEditorHandle().store, select);
}
