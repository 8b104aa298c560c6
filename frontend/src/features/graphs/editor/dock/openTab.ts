/** Which tab stands open below the canvas, kept for a reload. */
import { DOCK_TABS, type DockTab } from "../context";

const key = (graph: string) => `workbench.dock.${graph}`;

export function keepTab(graph: string, run: string | null, tab: DockTab | null): void {
  sessionStorage.setItem(key(graph), JSON.stringify({ run, tab }));
}

function kept(graph: string): { run?: unknown; tab?: unknown } {
  try {
    return (JSON.parse(sessionStorage.getItem(key(graph)) ?? "null") as object | null) ?? {};
  } catch {
    return {};
  }
}

/** The tab that was open; a run that is named for the first time opens its own. */
export function tabAtOpening(graph: string, run: string | null): DockTab | null {
  const { run: seen, tab } = kept(graph);
  if (run !== null && seen !== run) return "run";
  return DOCK_TABS.find((one) => one === tab) ?? null;
}
