/** The visits of a run for its timeline: as they came, nested ones right below the visit in which they lie. */
import type { GraphFold, GraphVisit } from "./fold";

interface Placed {
  visit: GraphVisit;
  key: readonly number[];
}

const keyOf = (id: string): number[] =>
  id
    .split(/[/[\]]+/)
    .filter(Boolean)
    .map(Number);

function compare(a: readonly number[], b: readonly number[]): number {
  for (let n = 0; n < Math.max(a.length, b.length); n += 1) {
    const difference = (a[n] ?? -1) - (b[n] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Grows with a fold: what is in it already is not sorted again, however many visits there are. */
export class TimelineOrder {
  private readonly placed: Placed[] = [];
  private waiting: GraphVisit[] = [];
  private taken = 0;

  constructor(private readonly fold: GraphFold) {}

  get length(): number {
    return this.placed.length;
  }

  at(index: number): GraphVisit {
    return this.placed[index]!.visit;
  }

  /** Takes in the visits that have begun since it was last asked to. */
  grow(): this {
    const { order } = this.fold;
    const come = [...this.waiting, ...order.slice(this.taken)];
    this.taken = order.length;
    this.waiting = come.filter(({ startedAt }) => startedAt === null);
    for (const visit of come) if (visit.startedAt !== null) this.place({ visit, key: keyOf(visit.id) });
    return this;
  }

  private place(one: Placed): void {
    let low = 0;
    let high = this.placed.length;
    const last = this.placed[high - 1];
    if (!last || compare(last.key, one.key) <= 0) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.placed[middle]!.key, one.key) <= 0) low = middle + 1;
      else high = middle;
    }
    this.placed.splice(low, 0, one);
  }
}
