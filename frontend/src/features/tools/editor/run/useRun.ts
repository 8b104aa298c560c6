import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { runCancel } from "@/features/runs/requests/runCancel";
import { useRunJournal } from "@/features/runs/useRunJournal";
import { useMay, useSession } from "@/shared/session/session";
import { own } from "@/shared/own";
import { toolRun } from "../../requests/toolRun";
import type { Editor } from "../editorStore";
import type { RunStart } from "./RunStart";
import { useInputs } from "./useInputs";
import { isWanted, type ParamForm } from "../../document/tool";

class NotSavedError extends Error {}

/** Whether the tool can't run yet, since an input that it requires is empty. */
function misses(params: readonly ParamForm[], values: Record<string, string>): boolean {
  return params.some((param) => isWanted(param) && (own(values, param.name.text) ?? "") === "");
}

/** Runs the open tool: saves first, starts, follows, stops. The run is named in the address, so that a reload shows it. */
export function useRun(editor: Editor, notSaved: string): RunStart {
  const { draft: tool } = editor.store.getState();
  const may = useMay("runs.start");
  const username = useSession()?.username ?? "";
  const inputs = useInputs(tool.name, username);
  const navigate = useNavigate();
  const { run: runId = null } = useSearch({ strict: false }) as { run?: string };
  const journal = useRunJournal(runId);
  const [stopping, setStopping] = useState<string | null>(null);
  const [missed, setMissed] = useState(0);

  const starting = useMutation({
    mutationFn: async (untilStep: number | undefined) => {
      const { readOnly, reading } = editor.store.getState();
      if (!readOnly && !(await editor.saver.flush())) throw new NotSavedError(notSaved);
      const names = reading.form
        ? reading.form.params.map(({ name }) => name.text)
        : tool.params.map(({ name }) => name);
      const given = names.filter((name) => (own(inputs.values, name) ?? "") !== "");
      return toolRun(tool.name, {
        params: Object.fromEntries(given.map((name) => [name, own(inputs.values, name)])),
        ...(inputs.environment ? { environment: inputs.environment } : {}),
        ...(readOnly ? {} : { revision: editor.saver.revision }),
        ...(untilStep === undefined ? {} : { until_step: untilStep }),
      });
    },
    onSuccess: ({ run }) => void navigate({ to: ".", search: { run } as never, replace: true }),
  });
  const cancelling = useMutation({ mutationFn: runCancel, onError: () => setStopping(null) });

  const { view } = journal;
  const active = runId !== null && !view.done && !journal.error;
  const state = starting.isPending
    ? "starting"
    : !active
      ? "idle"
      : stopping === runId || view.status === "stopping"
        ? "stopping"
        : "running";
  const { mutate: begin } = starting;
  const { mutate: cancel } = cancelling;
  const start = useCallback(
    (untilStep?: number) => {
      if (!may || state !== "idle") return;
      if (misses(editor.store.getState().reading.form?.params ?? [], inputs.values)) setMissed((count) => count + 1);
      else begin(untilStep);
    },
    [may, state, begin, editor, inputs.values],
  );
  const stop = useCallback(() => {
    if (!runId) return;
    setStopping(runId);
    cancel(runId);
  }, [runId, cancel]);
  const error = starting.error ?? cancelling.error;
  return useMemo(
    () => ({ may, start, stop, state, error, runId, journal, inputs, missed }),
    [may, start, stop, state, error, runId, journal, inputs, missed],
  );
}
