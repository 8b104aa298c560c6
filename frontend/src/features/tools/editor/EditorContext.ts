import { useDraft, useDraftHandle } from "@/shared/editor/DraftContext";
import type { Editor, EditorState } from "./editorStore";

/** The open tool; around it stands the context of any document. */
export const useEditorHandle = useDraftHandle as unknown as () => Editor;
export const useEditor = useDraft as unknown as <T>(select: (state: EditorState) => T) => T;
