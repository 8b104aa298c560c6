import { useEffect, useRef } from "react";
import { useDraftHandle } from "./DraftContext";
import { flushFields } from "./useField";

interface Actions {
  onRun: () => void;
  onSave: () => void;
}

/** Whether a key belongs to the one history: not while typing in something that isn't the document. */
function inHistory(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return true;
  if (target.closest("[role=dialog]")) return false;
  const writes = target.matches("input, textarea") || target.isContentEditable;
  return !writes || target.closest("[data-history]") !== null;
}

/** Ctrl+Enter, Ctrl+S, Ctrl+Z and Ctrl+Shift+Z of an open document. */
export function useEditorKeys(actions: Actions): void {
  const { store } = useDraftHandle();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return;
      const key = event.key.toLowerCase();
      const dialog = event.target instanceof HTMLElement && event.target.closest("[role=dialog]");
      const { undo, redo } = store.getState();
      if (["enter", "s", "z", "y"].includes(key)) flushFields();
      // A key that is held asks once; only the history is gone through by holding it.
      const once = event.repeat ? null : latest.current;
      if (key === "enter" && !dialog) once?.onRun();
      else if (key === "s" && !dialog) once?.onSave();
      else if (key === "s") event.stopPropagation();
      else if (key === "z" && inHistory(event.target)) (event.shiftKey ? redo : undo)();
      else if (key === "y" && inHistory(event.target)) redo();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [store]);
}
