/** A run is its journal: this folds the events of a tool's run into what a page shows. */
import type { RunError, RunEvent, RunStatus } from "@/shared/api/shapes";

/** A value that an event carries only the beginning of. */
export interface CutValue {
  cut: true;
  size: number;
  head: string;
  value: string;
  /** Of the whole value; older journals have none. */
  digest?: string;
  /** The run that keeps the whole value, where it is an earlier one than the run that is shown. */
  run?: string;
}

export function isCut(value: unknown): value is CutValue {
  return typeof value === "object" && value !== null && (value as CutValue).cut === true && "value" in value;
}

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | CutValue | null;
}

export interface GotResponse {
  status: number;
  reason: string;
  headers: Record<string, string>;
  content_type: string;
  size: number;
  text: string | CutValue;
}

export interface FoundVariable {
  name: string;
  value: unknown;
  text: string | CutValue;
  missing: null | "empty" | "default";
}

export interface StepVisit {
  visit: string;
  step: number;
  /** Which call it belongs to, where a step of a graph calls tools several times, also at once. */
  call: number | null;
  state: "running" | "finished" | "failed" | "cancelled";
  startedAt: string;
  durationMs: number | null;
  cached: boolean;
  request: SentRequest | null;
  response: GotResponse | null;
  variables: FoundVariable[];
  jump: { target: number; reason: "jump" | "next"; variable: string | null } | null;
}

export interface RunView {
  status: RunStatus;
  name: string;
  environment: string | null;
  revision: number | null;
  inputs: unknown;
  visits: StepVisit[];
  output: unknown;
  error: RunError | null;
  warnings: string[];
  startedAt: string | null;
  durationMs: number | null;
  done: boolean;
}

export const EMPTY_RUN: RunView = {
  status: "queued",
  name: "",
  environment: null,
  revision: null,
  inputs: null,
  visits: [],
  output: undefined,
  error: null,
  warnings: [],
  startedAt: null,
  durationMs: null,
  done: false,
};

type Data = Record<string, unknown>;

const number = (value: unknown): number => Number(String(value));
const optional = (value: unknown): number | null => (value === null || value === undefined ? null : number(value));

function end(view: RunView, status: RunStatus, data: Data, visitState: StepVisit["state"]): RunView {
  const visits = view.visits.map((visit) => (visit.state === "running" ? { ...visit, state: visitState } : visit));
  const error = (data.error as RunError | undefined) ?? null;
  if (error && visits.length > 0 && visitState === "failed") {
    const last = visits.at(-1)!;
    if (error.step === null || last.step === number(error.step))
      visits[visits.length - 1] = { ...last, state: "failed" };
  }
  return { ...view, status, visits, error, output: data.output, durationMs: optional(data.duration_ms), done: true };
}

function withVisit(view: RunView, event: RunEvent, change: (visit: StepVisit) => StepVisit): RunView {
  const key = event.visit ?? "";
  let at = view.visits.findLastIndex((visit) => visit.visit === key);
  if (at < 0) at = view.visits.length - 1;
  if (at < 0) return view;
  return { ...view, visits: view.visits.with(at, change(view.visits[at]!)) };
}

function step(view: RunView, event: RunEvent): RunView {
  const { data } = event;
  switch (event.type) {
    case "step.started": {
      const visit: StepVisit = {
        visit: event.visit ?? String(view.visits.length),
        step: number(data.step),
        call: optional(data.call),
        state: "running",
        startedAt: event.at,
        durationMs: null,
        cached: false,
        request: null,
        response: null,
        variables: [],
        jump: null,
      };
      return { ...view, visits: [...view.visits, visit] };
    }
    case "step.response":
      return withVisit(view, event, (visit) => ({
        ...visit,
        request: (data.request as SentRequest | null) ?? visit.request,
        response: (data.response as GotResponse | null) ?? null,
        cached: Boolean(data.cached),
        durationMs: optional(data.duration_ms),
      }));
    case "step.variable":
      return withVisit(view, event, (visit) => ({
        ...visit,
        variables: [...visit.variables, data as unknown as FoundVariable],
      }));
    case "step.jump":
      return withVisit(view, event, (visit) => ({
        ...visit,
        jump: {
          target: number(data.target),
          reason: data.reason === "next" ? "next" : "jump",
          variable: typeof data.variable === "string" ? data.variable : null,
        },
      }));
    case "step.finished":
      return withVisit(view, event, (visit) => ({
        ...visit,
        state: "finished",
        cached: visit.cached || Boolean(data.cached),
        durationMs: optional(data.duration_ms) ?? visit.durationMs,
      }));
    default:
      return view;
  }
}

function apply(view: RunView, event: RunEvent): RunView {
  const { data } = event;
  switch (event.type) {
    case "run.started":
      return {
        ...view,
        status: "running",
        startedAt: event.at,
        inputs: data.inputs,
        name: String(data.name ?? ""),
        environment: typeof data.environment === "string" ? data.environment : null,
        revision: optional(data.revision),
      };
    case "run.paused":
      return { ...view, status: "paused" };
    case "run.resumed":
      return { ...view, status: "running" };
    case "run.finished":
      return end(view, "finished", data, "finished");
    case "run.failed":
      return end(view, "failed", data, "failed");
    case "run.cancelled":
      return end(view, "cancelled", data, "cancelled");
    case "warning":
      return { ...view, warnings: [...view.warnings, String(data.message ?? "")] };
    default:
      return step(view, event);
  }
}

export function foldRun(events: readonly RunEvent[]): RunView {
  return events.reduce(apply, EMPTY_RUN);
}

/** The steps of tools that a graph's node called, call by call: their visits are numbered in the events' data. */
export function foldSteps(events: readonly RunEvent[]): StepVisit[] {
  const named = events.map((event) => ({
    ...event,
    visit: `${String(event.data.call ?? "")}:${String(event.data.visit ?? "0")}`,
  }));
  return named.reduce(step, EMPTY_RUN).visits.sort((a, b) => (a.call ?? 0) - (b.call ?? 0));
}
