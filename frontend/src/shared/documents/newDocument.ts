import { create } from "zustand";
import type { DocumentKind } from "./kind";

interface NewDocumentState {
  /** The kind of document that somebody asked for from elsewhere; its page opens the dialog. */
  wanted: DocumentKind["kind"] | null;
  want: (kind: DocumentKind["kind"] | null) => void;
}

export const useNewDocument = create<NewDocumentState>((set) => ({
  wanted: null,
  want: (wanted) => set({ wanted }),
}));
