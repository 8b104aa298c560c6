import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { graphStart } from "@/features/runs/requests/graphStart";
import { runFork } from "@/features/runs/requests/runFork";
import { knownStops, useBreakpoints } from "@/features/runs/graph/breakpoints";
import { useStarter } from "@/features/runs/graph/startGate";
import { own } from "@/shared/own";
import { useEditorHandle, useGraph, useUiHandle } from "../context";
import { useWatch } from "./watched";

export interface Wanted {
  inputs: Record<string, unknown>;
  environment: string | null;
  mode: "run" | "debug";
}

/** Saves the graph as it is on the screen and gives the revision that was saved. */
function useSaved(): () => Promise<number> {
  const { t } = useTranslation();
  const { saver } = useEditorHandle();
  return async () => {
    if (!(await saver.flush())) throw new Error(t("save.runNeedsSave"));
    return saver.revision;
  };
}

/** Starts a run of the graph as it is on the screen, and watches it. */
export function useStart() {
  const { store } = useEditorHandle();
  const ui = useUiHandle();
  const { watch } = useWatch();
  const { graph } = useGraph();
  const queries = useQueryClient();
  const saved = useSaved();
  return useStarter(
    async ({ inputs, environment, mode }: Wanted) => {
      const { readOnly, draft } = store.getState();
      const revision = readOnly ? undefined : await saved();
      const stops = knownStops(own(useBreakpoints.getState().byGraph, draft.name) ?? [], graph.nodes);
      return graphStart(draft.name, {
        inputs,
        environment: environment ?? undefined,
        revision,
        mode,
        ...(mode === "debug" ? { breakpoints: stops } : {}),
      });
    },
    (run) => {
      void queries.invalidateQueries({ queryKey: ["graphs", "list"] });
      ui.getState().set({ dock: ui.getState().dock ?? "run" });
      watch(run);
    },
  );
}

/** Goes on from before a visit of a run, with the graph as it is on the screen now; who may not edit, as published. */
export function useGoOn(run: string, onStarted: () => void) {
  const ui = useUiHandle();
  const { watch } = useWatch();
  const { store } = useEditorHandle();
  const saved = useSaved();
  return useStarter(
    async ({ visit, mode }: { visit: string; mode: "run" | "debug" }) => {
      const { readOnly, draft } = store.getState();
      return runFork(run, visit, mode, readOnly ? (draft.published_revision ?? undefined) : await saved());
    },
    (made) => {
      onStarted();
      ui.getState().set({ dock: ui.getState().dock ?? "run" });
      watch(made);
    },
  );
}
