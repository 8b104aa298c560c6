/** One start at a time: a key that is held or a second click doesn't make a second run. */
import { useMutation } from "@tanstack/react-query";
import { create } from "zustand";

/** How long a start keeps others off at least: as long as somebody takes for a double click or a hasty second press. */
const AT_LEAST_MS = 700;
/** After this the page may start again, whether the new run came to be shown or not. */
const AT_MOST_MS = 4000;

interface Gate {
  pending: boolean;
  /** The run that was started and isn't shown yet. */
  awaited: string | null;
  until: number;
}

const OPEN: Gate = { pending: false, awaited: null, until: 0 };

export const useStartGate = create<Gate>(() => OPEN);

let timer: ReturnType<typeof setTimeout> | undefined;

export function openGate(): void {
  clearTimeout(timer);
  useStartGate.setState(OPEN);
}

/** Whether a start may begin; from then on no other may. */
export function takeGate(): boolean {
  if (useStartGate.getState().pending) return false;
  clearTimeout(timer);
  useStartGate.setState({ pending: true, awaited: null, until: Date.now() + AT_LEAST_MS });
  return true;
}

/** The start has made a run: others may begin once it is shown. */
export function awaitRun(run: string): void {
  useStartGate.setState({ awaited: run });
  clearTimeout(timer);
  timer = setTimeout(openGate, AT_MOST_MS);
}

/** A run is shown now. */
export function runShown(run: string): void {
  const { awaited, until } = useStartGate.getState();
  if (awaited !== run) return;
  clearTimeout(timer);
  timer = setTimeout(openGate, Math.max(0, until - Date.now()));
}

/** A way to start a run that waits its turn: while any start is pending, another does nothing. */
export function useStarter<V = void>(start: (wanted: V) => Promise<{ run: string }>, onStarted: (run: string) => void) {
  const busy = useStartGate(({ pending }) => pending);
  const mutation = useMutation({
    mutationFn: start,
    onSuccess: ({ run }) => {
      awaitRun(run);
      onStarted(run);
    },
    onError: openGate,
  });
  return {
    begin: (wanted: V) => {
      if (takeGate()) mutation.mutate(wanted);
    },
    /** The same, for who wants to know when the run is there. */
    begun: async (wanted: V) => {
      if (takeGate()) await mutation.mutateAsync(wanted);
    },
    /** Whether any start is pending, and what this one was last asked for. */
    busy,
    wanted: mutation.variables,
    error: mutation.error,
  };
}
