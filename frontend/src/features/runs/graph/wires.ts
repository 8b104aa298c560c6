/** The edges that were taken, and which visits began with them. */
import { edgeName, type JoinModes, roundAfter, roundOf } from "./joins";
import { type GraphVisit, scopeOf } from "./visits";

export interface Taken {
  source: string;
  target: string;
  edge: number;
  from: string;
  /** The visit that began with it, once one did. */
  into: string | null;
  /** Whether the journal told that this visit began with it: until then that is a guess. */
  begun: boolean;
  /** The whole state that the edge's filter made. */
  channels: Record<string, unknown> | null;
  /** Its place among all edges that were taken. */
  nth: number;
}

export const edgeKey = (source: string, target: string): string => `${source}\u0000${target}`;

/** One that no other visit is thought to have begun with, where there is one. */
const oldest = (left: readonly Taken[]): Taken[] => {
  const one = left.find(({ into }) => into === null) ?? left[0];
  return one ? [one] : [];
};

const text = (value: unknown): string => String(value ?? "");

/** What an edge's filter made of the state, as `routes` of the visit before it tell: edge, target and the whole state. */
function filtered(routes: unknown, edge: number, target: string): Record<string, unknown> | null {
  if (!Array.isArray(routes)) return null;
  for (const route of routes as unknown[]) {
    const [number, to, state] = Array.isArray(route) ? (route as unknown[]) : [];
    const plain = typeof state === "object" && state !== null && !("cut" in state && state.cut === true);
    if (plain && Number(text(number)) === edge && to === target) return state as Record<string, unknown>;
  }
  return null;
}

export class Wires {
  /** The outer graph's, in the order in which they were taken. */
  readonly taken: Taken[] = [];
  readonly counts = new Map<string, number>();
  /** The same by the visit after which they were taken. */
  private readonly leaving = new Map<string, Taken[]>();
  private readonly waiting = new Map<string, Taken[]>();
  private readonly routes = new Map<string, unknown>();
  private seen = 0;

  constructor(private readonly joins: JoinModes) {}

  /** Keeps what filters made of the state after a visit until its edges are told. */
  finished(visit: string, routes: unknown): void {
    const replaced = Array.isArray(routes) && routes.some((one) => Array.isArray(one) && one.length > 2);
    if (replaced) this.routes.set(visit, routes);
  }

  /** Somebody changed what a visit wrote, so its filters made something else of the state. Returns what goes on. */
  changed(visit: string, routes: unknown): Taken[] {
    this.finished(visit, routes);
    const after = this.after(visit);
    for (const one of after) one.channels = filtered(routes, one.edge, one.target) ?? one.channels;
    return after;
  }

  arrive(data: Record<string, unknown>, from: string): void {
    const edge = Number(String(data.edge ?? 0));
    const target = text(data.target);
    const channels = filtered(this.routes.get(from), edge, target);
    const source = text(data.source);
    const one: Taken = { source, target, edge, from, into: null, begun: false, channels, nth: this.seen };
    this.seen += 1;
    if (scopeOf(from) === "") this.count(one);
    this.queue(one);
  }

  /** Which edges a new visit came over: the oldest arrival, or at a join the oldest over each edge of a group. */
  into(visit: GraphVisit): Taken[] {
    const scope = scopeOf(visit.id);
    const queue = this.waiting.get(scope + visit.node) ?? [];
    if (queue.length === 0) return [];
    const join = scope === "" ? this.joins.get(visit.node) : undefined;
    const used = join ? roundOf(join, queue) : [];
    if (used.length === 0) used.push(queue[0]!);
    for (const one of used) {
      one.into = visit.id;
      this.unqueue(one);
    }
    return used;
  }

  /** Gives a visit the edges from the visits that led to it, also those that another one was thought to follow. */
  claim(
    visit: GraphVisit,
    parents: readonly string[],
    edges: readonly string[] | null,
  ): { used: Taken[]; lost: ReadonlySet<string> } {
    const lost = new Set<string>();
    for (const from of visit.parents) for (const one of this.after(from)) if (one.into === visit.id) this.release(one);
    const join = this.joins.get(visit.node);
    const over = ({ source, edge }: Taken) => edges === null || edges.includes(edgeName(source, edge));
    const left = parents.map((from) =>
      this.after(from).filter((one) => one.target === visit.node && !one.begun && over(one)),
    );
    const used = join ? roundAfter(join, left.flat(), parents) : left.flatMap(oldest);
    for (const one of used) {
      if (one.into !== null) lost.add(one.into);
      else this.unqueue(one);
      one.into = visit.id;
      one.begun = true;
    }
    return { used, lost };
  }

  /** Takes back what left visits that no longer count, and lets edges into them wait again. */
  takeBack(gone: ReadonlySet<string>): void {
    const kept = this.taken.filter((one) => !gone.has(one.from));
    this.taken.length = 0;
    this.leaving.clear();
    this.counts.clear();
    for (const [place, queue] of this.waiting) {
      const nested = scopeOf(place) === "" ? [] : queue.filter((one) => !gone.has(one.from));
      this.waiting.set(place, nested);
    }
    for (const one of kept) {
      this.count(one);
      if (one.into !== null && gone.has(one.into)) this.release(one);
      else if (one.into === null) this.queue(one);
    }
  }

  private after(visit: string): Taken[] {
    return this.leaving.get(visit) ?? [];
  }

  private release(one: Taken): void {
    one.into = null;
    one.begun = false;
    this.queue(one);
  }

  private unqueue(one: Taken): void {
    const queue = this.waiting.get(scopeOf(one.from) + one.target);
    const at = queue?.indexOf(one) ?? -1;
    if (at >= 0) queue!.splice(at, 1);
  }

  private count(one: Taken): void {
    this.taken.push(one);
    const leaving = this.leaving.get(one.from);
    if (leaving) leaving.push(one);
    else this.leaving.set(one.from, [one]);
    const key = edgeKey(one.source, one.target);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  private queue(one: Taken): void {
    const place = scopeOf(one.from) + one.target;
    const queue = this.waiting.get(place);
    if (queue) queue.push(one);
    else this.waiting.set(place, [one]);
  }
}
