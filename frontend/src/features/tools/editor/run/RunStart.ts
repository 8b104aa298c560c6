import { createContext, useContext } from "react";
import type { RunJournalState } from "@/features/runs/useRunJournal";

export interface RunStart {
  /** Whether this person may run tools. */
  may: boolean;
  /** Runs the tool, or its steps up to and with one of them. */
  start: (untilStep?: number) => void;
  stop: () => void;
  state: "idle" | "starting" | "running" | "stopping";
  error: unknown;
  runId: string | null;
  journal: RunJournalState;
  inputs: InputsState;
  /** How often a run was wanted while inputs were missing; the form shows which, and goes to the first. */
  missed: number;
}

export interface InputsState {
  values: Record<string, string>;
  environment: string | null;
  setValue: (name: string, value: string) => void;
  setEnvironment: (name: string | null) => void;
}

export const RunStartContext = createContext<RunStart | null>(null);

export function useRunStart(): RunStart {
  const start = useContext(RunStartContext);
  if (!start) throw new Error("No run around this component");
  return start;
}
