import { type RefObject, useEffect } from "react";
import type { Graph } from "../document/graph";
import { useUiHandle } from "./context";

/** Gives the focus back to the canvas when what had it went away: by undoing, by deleting, by closing a list. */
export function useKeptFocus(frame: RefObject<HTMLElement | null>, graph: Graph): void {
  const ui = useUiHandle();
  useEffect(() => {
    const timer = setTimeout(() => {
      const active = document.activeElement;
      if (active && active !== document.body) return;
      const [first] = ui.getState().selected;
      const step =
        first && frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(first)}"]`);
      (step || frame.current)?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [frame, graph, ui]);
}
