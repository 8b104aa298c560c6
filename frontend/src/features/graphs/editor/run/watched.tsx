/** The run that is watched on the open graph's canvas; its id is in the address. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState, useMemo, useRef } from "react";
import { runRead } from "@/features/runs/requests/runRead";
import { runShown } from "@/features/runs/graph/startGate";
import { runBreakpoints } from "@/features/runs/graph/runBreakpoints";
import type { Debugged } from "@/features/runs/graph/useBreakpointEdits";
import { type GraphRun, useGraphRun } from "@/features/runs/graph/useGraphRun";
import { type Inspected, useInspected } from "@/features/runs/graph/useInspected";
import { type RunControl, useRunControl } from "@/features/runs/graph/useRunControl";
import type { Run } from "@/shared/api/shapes";
import { useMay } from "@/shared/session/session";
import { type InspectorTab, useEditor, useGraph, useUi, useUiHandle } from "../context";

export interface Watched {
  state: GraphRun;
  inspected: Inspected;
  control: RunControl;
  /** Whether it still goes on. */
  live: boolean;
  /** Whether it is looked at as it was earlier. */
  past: boolean;
  paused: boolean;
  stopping: boolean;
  mayControl: boolean;
}

const WatchedContext = createContext<Watched | null>(null);

/** The breakpoints of the watched run while it is debugged; who uses them is drawn again only when they change. */
const DebuggedContext = createContext<Debugged | null>(null);

export const useDebugged = (): Debugged | null => useContext(DebuggedContext);

function useDebuggedOf(watched: Watched | null): Debugged | null {
  const latest = useRef(watched);
  useEffect(() => {
    latest.current = watched;
  });
  const on = watched?.live && watched.mayControl && watched.state.fold.mode === "debug";
  const stops = on ? runBreakpoints(watched.state.fold, watched.state.row) : null;
  return useMemo(() => stops && { stops, send: (command) => latest.current?.control.send(command) }, [stops]);
}

/** The watched run, or null; who uses it is drawn again as the run goes on. */
export const useWatched = (): Watched | null => useContext(WatchedContext);

/** The id of the watched run, and how to watch another or none. */
export function useWatch(): { id: string | null; watch: (id: string | null) => void } {
  const { run } = useSearch({ strict: false }) as { run?: string };
  const navigate = useNavigate();
  const watch = useCallback(
    (id: string | null) =>
      void navigate({
        to: ".",
        search: (({ back }: { back?: string }) => ({ run: id ?? undefined, back })) as never,
        replace: true,
      }),
    [navigate],
  );
  return { id: run ?? null, watch };
}

/** Whether somebody writes in a step's settings right now; they must not be taken from under their hands. */
function writesSettings(panel: InspectorTab): boolean {
  const active = document.activeElement;
  if (panel !== "settings" || !(active instanceof HTMLElement) || !active.closest("#step-panel")) return false;
  return active.isContentEditable || active.matches("input, textarea, select");
}

/** Goes where a run asks for a look: to the visit at which it is held or failed, and to its question. */
function useAttention({ state, inspected, past, paused }: Watched) {
  const ui = useUiHandle();
  const { fold } = state;
  const failing = fold.error?.node;
  const failed = failing ? fold.visitsOf(failing).findLast((one) => one.state === "failed")?.id : undefined;
  const lookAt = past ? null : paused ? (fold.held[0]?.id ?? null) : (failed ?? null);
  useEffect(() => {
    const { panel } = ui.getState();
    if (!lookAt || writesSettings(panel)) return;
    inspected.pick(lookAt);
    if (panel !== "events")
      ui.getState().set({ panel: paused && !fold.visits.get(lookAt)?.error ? "input" : "output" });
    // Once for each place: whoever looks elsewhere afterwards is left alone.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [lookAt]);
  const asks = fold.questions[0]?.id;
  useEffect(() => {
    if (asks) ui.getState().set({ dock: "run" });
  }, [asks, ui]);
}

function Follower({ first, onChange }: { first: Run; onChange: (watched: Watched) => void }) {
  const ui = useUiHandle();
  const mayControl = useMay("runs.control");
  const node = useUi(({ selected }) => (selected.size === 1 ? [...selected][0]! : null));
  const choose = useCallback((name: string | null) => ui.getState().select(name ? [name] : []), [ui]);
  const state = useGraphRun(first);
  const inspected = useInspected(state, { node, choose });
  const control = useRunControl(first.id);
  const live = !state.fold.done && !["finished", "failed", "cancelled"].includes(state.status);
  const past = inspected.at !== null;
  const watched: Watched = {
    state,
    inspected,
    control,
    live,
    past,
    paused: state.status === "paused" && mayControl,
    stopping: live && (control.stopping || state.status === "stopping"),
    mayControl,
  };
  useAttention(watched);
  useEffect(() => runShown(first.id), [first.id]);
  useEffect(() => {
    ui.getState().set({ live });
    return () => ui.getState().set({ live: false });
  }, [live, ui]);
  const { count, status, row, graph } = state;
  const { at, turns, visit } = inspected;
  // Told anew only when something of it is different, not with every drawing of this component.
  useEffect(
    () => onChange(watched),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [count, status, row, graph, at, turns, visit, node, control.pending, control.error, control.stopping, mayControl],
  );
  return null;
}

/** The run that the address names, as it was when the page opened it, and why it can't be watched here. */
export function useNamedRun(): { first: Run | null; error: unknown } {
  const { t } = useTranslation();
  const { id } = useWatch();
  const name = useEditor((state) => state.draft.name);
  const { data, error } = useQuery({
    queryKey: ["run", id],
    queryFn: () => runRead(id!),
    enabled: id !== null,
    staleTime: Infinity,
    retry: false,
  });
  if (id === null) return { first: null, error: null };
  if (data && (data.kind !== "graph" || data.name !== name))
    return { first: null, error: new Error(t("graphs.otherRun", { name: data.name })) };
  return { first: data ?? null, error };
}

/** Follows the run that the address names, for everything inside. */
export function WatchedRun({ children }: { children: ReactNode }) {
  const { first } = useNamedRun();
  const [watched, setWatched] = useState<Watched | null>(null);
  // Until the next run is there, the one before it stays on the screen.
  const shown = first ? watched : null;
  return (
    <WatchedContext value={shown}>
      <DebuggedContext value={useDebuggedOf(shown)}>
        {first && <Follower key={first.id} first={first} onChange={setWatched} />}
        {children}
      </DebuggedContext>
    </WatchedContext>
  );
}

/** Selects the step that the address names, once. */
export function useNamedStep(show: (name: string) => void): void {
  const { node } = useSearch({ strict: false }) as { node?: string };
  const ui = useUiHandle();
  const { graph } = useGraph();
  const known = node !== undefined && graph.nodes.some(({ name }) => name === node);
  useEffect(() => {
    if (!known) return;
    ui.getState().select([node]);
    show(node);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [known, node]);
}
