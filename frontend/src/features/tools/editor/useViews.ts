import { useViewportSize } from "@mantine/hooks";
import { useCallback, useMemo, useState } from "react";

export const VIEWS = ["form", "yaml", "run"] as const;
export type View = (typeof VIEWS)[number];

export interface Views {
  shown: readonly View[];
  /** How many fit side by side. */
  room: number;
  show: (view: View) => void;
  toggle: (view: View) => void;
}

const STORE = "workbench.views";

function load(): View[] {
  const stored = (localStorage.getItem(STORE) ?? "")
    .split(",")
    .filter((view): view is View => VIEWS.includes(view as View));
  return stored.length ? stored : ["yaml", "form", "run"];
}

/** Which views are shown: those looked at last, as many as there is room for. `beside` is a panel that takes room. */
export function useViews(beside: boolean): Views {
  const { width } = useViewportSize();
  const [wanted, setWanted] = useState<View[]>(load);
  const free = (width || 1440) - (beside ? 320 : 0);
  const room = free >= 1280 ? 3 : free >= 960 ? 2 : 1;
  const keep = useCallback((next: View[]) => {
    localStorage.setItem(STORE, next.join(","));
    return next;
  }, []);
  const shown = useMemo(() => VIEWS.filter((view) => wanted.slice(-room).includes(view)), [wanted, room]);
  const show = useCallback(
    (view: View) =>
      setWanted((now) => (now.slice(-room).includes(view) ? now : keep([...now.filter((one) => one !== view), view]))),
    [keep, room],
  );
  const toggle = useCallback(
    (view: View) =>
      setWanted((now) => {
        const visible = now.slice(-room);
        if (!visible.includes(view)) return keep([...now.filter((one) => one !== view), view]);
        return visible.length > 1 ? keep(visible.filter((one) => one !== view)) : now;
      }),
    [keep, room],
  );
  return useMemo(() => ({ shown, room, show, toggle }), [shown, room, show, toggle]);
}
