import { useEffect } from "react";
import { useDraftHandle } from "./DraftContext";
import { LONGEST } from "./longest";

/** What is typed there doesn't become part of the document. */
const ELSEWHERE = "form, [data-view=run]";

/**
 * Refuses a text that is longer than a whole document may be before it is put anywhere: laying it out alone holds the
 * page for seconds, and the server would refuse it afterwards.
 */
export function usePasteGuard(): void {
  const { kind, store } = useDraftHandle();
  useEffect(() => {
    const { characters, told } = LONGEST[kind.place];
    const guard = (event: ClipboardEvent | DragEvent) => {
      const data = "clipboardData" in event ? event.clipboardData : event.dataTransfer;
      const inside = event.target instanceof Element && event.target.closest(ELSEWHERE);
      if (inside || (data?.getData("text/plain").length ?? 0) <= characters) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      store.getState().refuse(told);
    };
    document.addEventListener("paste", guard, true);
    document.addEventListener("drop", guard, true);
    return () => {
      document.removeEventListener("paste", guard, true);
      document.removeEventListener("drop", guard, true);
    };
  }, [kind, store]);
}
