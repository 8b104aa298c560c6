/**
 * A graph's run is its journal: this folds events, one after the other, into visits, node states and questions.
 *
 * The fold grows in place, so that a hundred thousand events cost what they cost once; `version` tells that it grew.
 * Going back in time is another fold, of the first N events.
 */
import type { RunError, RunEvent, RunStatus } from "@/shared/api/shapes";
import { isCut } from "../fold";
import { enterAgain, type GraphVisit, isOpen, newVisit, outermost, type Question, type VisitState } from "./visits";
import { edgeName, type JoinModes } from "./joins";
import { edgeKey, type Taken, Wires } from "./wires";

export { edgeKey, type GraphVisit, isOpen, type JoinModes, outermost, type Question, type Taken, type VisitState };

/** A piece of text as it streams; of one that came cut off its beginning. */
const chunkText = (chunk: unknown): string => (isCut(chunk) ? `${chunk.head}…` : String(chunk ?? ""));

export interface SetBreakpoint {
  node: string;
  condition: string | null;
  on: "enter" | "leave";
}

const NO_VISITS: readonly GraphVisit[] = [];

/** The edges over which a visit was reached, where the journal tells them: several may lead there from one visit. */
const edgesOf = (told: unknown): string[] | null =>
  Array.isArray(told)
    ? (told as unknown[][]).map(([source, edge]) => edgeName(String(source), Number(String(edge))))
    : null;

function arrive(visit: GraphVisit, over: readonly Taken[]): void {
  visit.parents = over.map((one) => one.from);
  visit.via = over.map((one) => edgeKey(one.source, one.target));
  visit.carried = over.map((one) => one.channels);
}

export class GraphFold {
  version = 0;
  seen = 0;
  /** How often somebody changed a value or went back: what visits wrote may be different then. */
  changes = 0;
  status: RunStatus = "queued";
  done = false;
  name = "";
  revision: number | null = null;
  mode = "run";
  inputs: Record<string, unknown> = {};
  output: unknown = undefined;
  error: RunError | null = null;
  warnings: string[] = [];
  startedAt: string | null = null;
  lastAt: string | null = null;
  durationMs: number | null = null;
  /** How much of its time it waited for a person or was paused, until it was last taken up. */
  restedMs = 0;
  /** When something last happened to it while it ran. */
  private workedAt: string | null = null;
  private resting = false;
  /** The breakpoints of a debugged run, as they are set now; null where the journal does not tell them. */
  breakpoints: SetBreakpoint[] | null = null;
  pausedFor: string | null = null;
  readonly visits = new Map<string, GraphVisit>();
  /** Every visit, in the order in which it came. */
  readonly order: GraphVisit[] = [];
  /** The visits of the outer graph that count, by node. */
  readonly byNode = new Map<string, GraphVisit[]>();
  /** The visits that have not ended: few, however many there were. */
  private readonly open = new Map<string, GraphVisit>();
  private readonly wires: Wires;
  private readonly finished: string[] = [];
  /** The finished visits of nested graphs in the order in which they ended, by the place in which they lie. */
  private readonly inside = new Map<string, string[]>();
  /** How many of these a fork with a mended graph keeps; null where it keeps what is recorded. */
  private kept: Record<string, unknown> | null = null;

  constructor(joins: JoinModes = new Map()) {
    this.wires = new Wires(joins);
  }

  /** The edges of the outer graph that were taken and count. */
  get taken(): readonly Taken[] {
    return this.wires.taken;
  }

  get takenEdges(): ReadonlyMap<string, number> {
    return this.wires.counts;
  }

  take(events: readonly RunEvent[], from = 0, to = events.length): this {
    for (let index = from; index < to; index += 1) this.apply(events[index]!);
    if (to > from) this.version += 1;
    return this;
  }

  /** The visits at which the run is held. */
  get held(): GraphVisit[] {
    return [...this.open.values()].filter(({ state }) => state === "paused");
  }

  get questions(): GraphVisit[] {
    return [...this.open.values()].filter(({ state }) => state === "waiting");
  }

  get unfinished(): GraphVisit[] {
    return [...this.open.values()];
  }

  visitsOf(node: string): readonly GraphVisit[] {
    return this.byNode.get(node) ?? NO_VISITS;
  }

  private apply(event: RunEvent): void {
    const { data } = event;
    this.seen += 1;
    this.lastAt = event.at;
    this.rest(event);
    if (Array.isArray(data.breakpoints)) this.breakpoints = data.breakpoints as SetBreakpoint[];
    switch (event.type) {
      case "run.started":
        this.begin(event);
        break;
      case "run.resumed":
        this.status = "running";
        this.done = false;
        this.pausedFor = null;
        this.error = null;
        for (const visit of this.held) visit.state = visit.startedAt && !visit.endedAt ? "running" : "queued";
        break;
      case "run.paused":
        this.status = "paused";
        this.pausedFor = String(data.reason ?? "");
        this.hold(data.visits);
        break;
      case "run.finished":
        this.end("finished", event);
        break;
      case "run.failed":
        this.end("failed", event);
        break;
      case "run.cancelled":
        this.end("cancelled", event);
        break;
      case "edge.taken":
        this.wires.arrive(data, event.visit ?? "");
        break;
      case "debug.restored":
        this.restore(data.visit === null ? null : String(data.visit), data.visits, data.lost);
        break;
      case "warning":
        this.warnings.push(String(data.message ?? ""));
        break;
      default:
        if (event.visit !== null) this.inVisit(event, event.visit);
    }
  }

  /** What somebody does to a run that rests does not wake it; going on does, or the end. */
  private rest({ type, at }: RunEvent): void {
    if (this.workedAt !== null && (type === "run.resumed" || (type === "run.cancelled" && this.resting)))
      this.restedMs += Math.max(0, Date.parse(at) - Date.parse(this.workedAt));
    if (type.startsWith("debug.")) return;
    this.workedAt = at;
    this.resting = type === "run.paused" || type === "node.waiting";
  }

  private begin(event: RunEvent): void {
    const { data } = event;
    this.status = "running";
    this.done = false;
    this.error = null;
    this.output = undefined;
    this.durationMs = null;
    this.restedMs = 0;
    this.startedAt = event.at;
    this.name = String(data.name ?? "");
    this.revision = data.revision === undefined ? null : Number(String(data.revision));
    this.mode = String(data.mode ?? "run");
    this.kept = (data.kept as Record<string, unknown> | undefined) ?? null;
    if (data.parent) enterAgain(this.open.values());
    if (!data.parent || Object.keys(this.inputs).length === 0)
      this.inputs = (data.inputs as Record<string, unknown> | null) ?? {};
  }

  private end(status: RunStatus, event: RunEvent): void {
    this.status = status;
    this.done = true;
    this.pausedFor = null;
    this.output = event.data.output;
    this.error = (event.data.error as RunError | undefined) ?? null;
    this.durationMs = event.data.duration_ms === undefined ? null : Number(String(event.data.duration_ms));
    for (const visit of this.open.values()) {
      visit.state = "skipped";
      visit.reason ??= visit.startedAt ? "stopped" : null;
      visit.question = null;
      visit.endedAt ??= event.at;
    }
    this.open.clear();
  }

  private visit(id: string, node: string, path: readonly unknown[]): GraphVisit {
    const known = this.visits.get(id);
    if (known) return known;
    const visit = newVisit(id, node, path);
    this.visits.set(id, visit);
    this.open.set(id, visit);
    this.order.push(visit);
    arrive(visit, this.wires.into(visit));
    if (path.length === 0) this.count(visit);
    return visit;
  }

  /** The journal tells from which visits one follows when it begins; before that, and in old journals, it is guessed. */
  private follow(visit: GraphVisit, parents: unknown, edges: unknown): void {
    if (!Array.isArray(parents) || visit.path.length > 0) return;
    const { used, lost } = this.wires.claim(visit, parents.map(String), edgesOf(edges));
    arrive(visit, used);
    for (const id of lost) {
      const other = this.visits.get(id);
      if (other && id !== visit.id) arrive(other, this.wires.into(other));
    }
  }

  private count(visit: GraphVisit): void {
    const list = this.byNode.get(visit.node);
    if (list) list.push(visit);
    else this.byNode.set(visit.node, [visit]);
  }

  private hold(visits: unknown): void {
    if (!Array.isArray(visits)) return;
    for (const one of visits as { node: string; visit: string }[]) {
      const visit = this.visit(String(one.visit), String(one.node), []);
      if (visit.takenBack) {
        visit.takenBack = false;
        this.count(visit);
      }
      if (visit.state !== "waiting") visit.state = "paused";
      this.open.set(visit.id, visit);
    }
  }

  /** Whether what a nested visit did still counts where the visit around it is entered again. */
  private stays({ id, state }: GraphVisit): boolean {
    if (state !== "finished" || !this.kept) return state === "finished";
    const place = id.slice(0, id.lastIndexOf("/"));
    const kept = Object.hasOwn(this.kept, place) ? Number(this.kept[place]) : 0;
    return (this.inside.get(place)?.indexOf(id) ?? kept) < kept;
  }

  private restore(to: string | null, visits: unknown, lost: unknown): void {
    const target = to ?? this.finished.at(-1);
    if (target === undefined) return;
    this.changes += 1;
    const gone = new Set([target, ...(Array.isArray(lost) ? lost.map(String) : [])]);
    const wasOpen = this.visits.get(target)?.state !== "finished";
    for (const visit of this.visits.values()) {
      if (visit.path.length > 0) {
        const around = outermost(visit.id);
        const again = wasOpen && around === target;
        if (gone.has(around) && !again) gone.add(visit.id);
        else if ((again || (this.kept && this.open.has(around))) && !this.stays(visit)) gone.add(visit.id);
      } else if (visit.parents.some((parent) => gone.has(parent))) gone.add(visit.id);
    }
    for (const id of gone) {
      const visit = this.visits.get(id);
      if (visit) visit.takenBack = true;
      this.open.delete(id);
    }
    this.byNode.clear();
    for (const visit of this.order) if (visit.path.length === 0 && !visit.takenBack) this.count(visit);
    for (let index = this.finished.length - 1; index >= 0; index -= 1)
      if (gone.has(this.finished[index]!)) this.finished.splice(index, 1);
    this.wires.takeBack(gone);
    this.kept = null;
    const paused = this.mode === "debug";
    this.status = paused ? "paused" : "running";
    this.pausedFor = paused ? "back" : null;
    this.done = false;
    this.error = null;
    this.output = undefined;
    this.hold(visits);
    // A fork that is not debugged goes on by itself, also where the run before it was held.
    const [before, now] = paused ? (["queued", "paused"] as const) : (["paused", "queued"] as const);
    for (const visit of this.open.values()) if (visit.path.length === 0 && visit.state === before) visit.state = now;
  }

  private endInside(id: string): void {
    const place = id.slice(0, id.lastIndexOf("/"));
    const ended = this.inside.get(place);
    if (ended) ended.push(id);
    else this.inside.set(place, [id]);
  }

  private inVisit(event: RunEvent, id: string): void {
    const { data } = event;
    const visit = this.visit(id, event.node ?? "", event.path);
    if (data.input !== undefined) visit.input = data.input;
    if (data.asked !== undefined) visit.asked = data.asked;
    switch (event.type) {
      case "node.started":
        this.follow(visit, data.parents, data.edges);
        Object.assign(visit, {
          state: "running",
          startedAt: event.at,
          endedAt: null,
          error: null,
          text: "",
          steps: [],
          input: undefined,
          asked: undefined,
        });
        if (visit.path.length > 0) {
          visit.takenBack = false;
          this.open.set(id, visit);
        }
        if (this.status === "waiting") this.status = "running";
        break;
      case "node.output":
        visit.text += chunkText(data.chunk);
        break;
      case "node.waiting":
        visit.state = "waiting";
        visit.question = data.question as Question;
        break;
      case "node.finished":
        visit.state = "finished";
        this.open.delete(id);
        visit.question = null;
        visit.endedAt = event.at;
        visit.delta = (data.delta as Record<string, unknown> | undefined) ?? {};
        visit.output = data.output;
        this.wires.finished(id, data.routes);
        if (visit.path.length === 0) this.finished.push(id);
        else this.endInside(id);
        break;
      case "node.failed":
        visit.state = "failed";
        this.open.delete(id);
        visit.endedAt = event.at;
        visit.error = (data.error as RunError | undefined) ?? null;
        break;
      case "node.skipped":
        if (visit.state === "failed") break;
        visit.state = "skipped";
        this.open.delete(id);
        visit.reason = String(data.reason ?? "");
        visit.endedAt ??= event.at;
        break;
      case "debug.changed":
        this.changes += 1;
        visit.delta = { ...visit.delta, [String(data.key)]: data.value };
        if (!visit.changed.includes(String(data.key))) visit.changed.push(String(data.key));
        for (const { into, from, channels } of this.wires.changed(id, data.routes)) {
          const after = into === null ? undefined : this.visits.get(into);
          if (after && channels) after.carried[after.parents.indexOf(from)] = channels;
        }
        break;
      default:
        if (event.type.startsWith("step.")) visit.steps.push(event);
    }
  }
}

export interface NodeSummary {
  state: VisitState;
  visits: number;
  last: GraphVisit;
}

/** Where each node of the outer graph stands: the visit that asks for attention most, else the newest. */
export function summaries(fold: GraphFold): Map<string, NodeSummary> {
  const found = new Map<string, NodeSummary>();
  for (const [node, visits] of fold.byNode) {
    const last = visits.at(-1);
    if (last) found.set(node, { state: last.state, visits: visits.length, last });
  }
  for (const visit of fold.unfinished) {
    const known = visit.path.length === 0 ? found.get(visit.node) : undefined;
    if (known && !isOpen(known.last)) found.set(visit.node, { ...known, state: visit.state, last: visit });
  }
  return found;
}

/**
 * How a run stands: what the journal can't tell (it waits, it is stopping) is seen from its visits and its row.
 * While a long journal still comes in, which is `behind` its row, the row alone knows.
 */
export function statusOf(fold: GraphFold, row: RunStatus, behind = false): RunStatus {
  if (fold.done) return fold.status;
  if (behind) return row;
  if (row === "stopping") return row;
  if (fold.status === "paused") return "paused";
  if (fold.seen === 0) return row;
  const open = fold.unfinished.filter((visit) => visit.path.length === 0);
  const waits = fold.questions;
  if (waits.length > 0 && open.every((visit) => waits.some((one) => outermost(one.id) === visit.id))) return "waiting";
  return "running";
}
