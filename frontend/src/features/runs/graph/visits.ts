/** The visits of a graph's run: what the fold keeps of each. */
import type { RunError, RunEvent } from "@/shared/api/shapes";

export type VisitState = "queued" | "running" | "waiting" | "paused" | "finished" | "failed" | "skipped";

export interface Question {
  question: unknown;
  kind: string;
  choices?: unknown[];
  schema?: unknown;
  /** "interrupted" where the server asks itself, whether to run a step again. */
  reason?: unknown;
}

/** What went wrong, without the step's name before it: where it is shown, that stands there already. */
export const messageOf = ({ node, message }: RunError): string =>
  node && message.startsWith(`${node}: `) ? message.slice(node.length + 2) : message;

export interface GraphVisit {
  id: string;
  node: string;
  path: string[];
  state: VisitState;
  startedAt: string | null;
  endedAt: string | null;
  /** What it said while it ran. */
  text: string;
  delta: Record<string, unknown>;
  output: unknown;
  /** With what it was called, and what it asked of models; told when it ends, see `useAsked` for before. */
  input: unknown;
  asked: unknown;
  error: RunError | null;
  reason: string | null;
  question: Question | null;
  /** Visits from which it follows, in the order in which their edges came. */
  parents: string[];
  /** Its tool's steps, folded when somebody looks. */
  steps: RunEvent[];
  changed: string[];
  /** The edges over which it was reached. */
  via: string[];
  /** For each of these edges what its filter made of the state, which it replaces; null where the edge has none. */
  carried: (Record<string, unknown> | null)[];
  /** Somebody went back to before it. */
  takenBack: boolean;
}

const LIVE_STATES = new Set<VisitState>(["queued", "running", "waiting", "paused"]);

export const isOpen = (visit: GraphVisit): boolean => LIVE_STATES.has(visit.state) && !visit.takenBack;

/** The visit of the outermost graph in which a nested one lies: `4[3]/2` lies in `4`. */
export function outermost(id: string): string {
  return /^[^/[]*/.exec(id)?.[0] ?? id;
}

/** The visit whose node runs the graph in which a nested one lies: `4[3]/2` lies in `4`, `4/2/1` in `4/2`. */
export function enclosing(id: string): string | null {
  const slash = id.lastIndexOf("/");
  return slash < 0 ? null : id.slice(0, slash).replace(/\[\d+\]$/, "");
}

/** The one graph in which a visit lies, for what is told apart by it: `4[3]/` for `4[3]/2`, nothing outside of any. */
export function scopeOf(id: string): string {
  return id.slice(0, id.lastIndexOf("/") + 1);
}

/** How long a visit took, in ms; up to `now` where it has not ended. */
export function durationOf(visit: GraphVisit, now?: number): number | null {
  if (!visit.startedAt) return null;
  const end = visit.endedAt ? Date.parse(visit.endedAt) : now;
  return end === undefined ? null : Math.max(0, end - Date.parse(visit.startedAt));
}

export function newVisit(id: string, node: string, path: readonly unknown[]): GraphVisit {
  return {
    id,
    node,
    path: path.map(String),
    state: "queued",
    startedAt: null,
    endedAt: null,
    text: "",
    delta: {},
    output: undefined,
    input: undefined,
    asked: undefined,
    error: null,
    reason: null,
    question: null,
    parents: [],
    steps: [],
    changed: [],
    via: [],
    carried: [],
    takenBack: false,
  };
}

/** A fork enters nested graphs again, and what they ask is asked again: until then nobody can answer it. */
export function enterAgain(visits: Iterable<GraphVisit>): void {
  for (const visit of visits)
    if (visit.path.length > 0 && visit.state === "waiting") Object.assign(visit, { state: "queued", question: null });
}
