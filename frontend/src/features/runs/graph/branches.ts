/**
 * The order of a run's branches, which does not depend on which of them was faster: as the engine ranks them, so that
 * lists that several branches wrote to are put together alike.
 */
import type { RunGraph } from "./definition";
import { edgeKey, type GraphFold, type GraphVisit, type Taken } from "./fold";
import { completeRounds, edgeName } from "./joins";

/**
 * The rank above, the branch's place among those that forked there, the join's first edge (-1 if it is none), and how
 * many ranks are above.
 */
interface Rank {
  above: Rank | null;
  branch: number;
  slot: number;
  depth: number;
}

const ROOT: Rank = { above: null, branch: 0, slot: -1, depth: 0 };

function compare(one: Rank, two: Rank): number {
  let [a, b] = [one, two];
  while (a.depth > b.depth) a = a.above!;
  while (b.depth > a.depth) b = b.above!;
  if (a === b) return one.depth - two.depth;
  while (a.above !== b.above && a.above && b.above) [a, b] = [a.above, b.above];
  return a.branch - b.branch || a.slot - b.slot;
}

/** What goes on after a join: at its branches' common place, right after the first of them. */
function joined(ranks: readonly Rank[], slot: number): Rank {
  const { above, depth } = ranks[0]!;
  if (ranks.every((rank) => rank.above === above))
    return { above, branch: Math.min(...ranks.map(({ branch }) => branch)), slot, depth };
  let common = ranks[0]!;
  for (let other of ranks.slice(1))
    while (common !== other) {
      if (common.depth >= other.depth && common.above) common = common.above;
      else if (other.above) other = other.above;
      else break;
    }
  let below = ranks.reduce((first, rank) => (compare(rank, first) < 0 ? rank : first));
  if (below === common) return { above: common, branch: -1, slot, depth: common.depth + 1 };
  while (below.above && below.above !== common) below = below.above;
  return { above: common, branch: below.branch, slot, depth: common.depth + 1 };
}

/** Numbers each way that an edge can go, in the order of the document; the edges to the end that nobody drew come last. */
function slotsOf(graph: RunGraph): (taken: Taken) => number {
  const slots = new Map<string, number>();
  const nth = new Map<string, number>();
  for (const { source, targets } of graph.edges) {
    const at = nth.get(source) ?? 0;
    nth.set(source, at + 1);
    for (const target of new Set(targets)) slots.set(edgeKey(edgeName(source, at), target), slots.size);
  }
  const nodes = new Map(graph.nodes.map(({ name }, index) => [name, index]));
  return ({ source, edge, target }) =>
    slots.get(edgeKey(edgeName(source, edge), target)) ?? slots.size + (nodes.get(source) ?? nodes.size);
}

/** Puts the visits and arrivals of a run into the order of their branches. */
export class Branches {
  private readonly ranks = new Map<string, Rank>();
  private readonly slot: (taken: Taken) => number;
  /** The edges that were taken after a visit, in order. */
  private readonly leaving = new Map<string, Taken[]>();

  constructor(
    private readonly graph: RunGraph,
    fold: GraphFold,
  ) {
    this.slot = slotsOf(graph);
    const into = new Map<string, Taken[]>();
    for (const one of fold.taken) {
      this.keep(this.leaving, one.from, one);
      if (one.into !== null) this.keep(into, one.into, one);
    }
    for (const visit of fold.order)
      if (visit.path.length === 0 && !visit.takenBack) this.ranks.set(visit.id, this.rankOf(visit, into.get(visit.id)));
  }

  /** Arrivals that no visit began with, in the order of the edges; those that would begin one together as one. */
  arrivals(taken: readonly Taken[]): Taken[] {
    const parked = new Map<string, Taken[]>();
    for (const one of taken) this.keep(parked, one.target, one);
    const together = [...parked].flatMap(([target, left]) => {
      const join = this.graph.joins.get(target);
      const rounds = join ? completeRounds(join, left) : [];
      const used = new Set(rounds.flat());
      return [...rounds, ...left.filter((one) => !used.has(one)).map((one) => [one])];
    });
    const ranked = together.map((all) => ({ all, slot: this.slot(all[0]!), rank: this.after(all) }));
    ranked.sort((a, b) => a.slot - b.slot || compare(a.rank, b.rank));
    return ranked.flatMap(({ all }) => all);
  }

  /** Open visits, in the order of their branches. */
  visits(open: readonly GraphVisit[]): GraphVisit[] {
    const rank = ({ id }: GraphVisit) => this.ranks.get(id) ?? ROOT;
    return [...open].sort((a, b) => compare(rank(a), rank(b)) || Number(a.id) - Number(b.id));
  }

  private keep(map: Map<string, Taken[]>, at: string, one: Taken): void {
    const known = map.get(at);
    if (known) known.push(one);
    else map.set(at, [one]);
  }

  private rankOf(visit: GraphVisit, over: Taken[] | undefined): Rank {
    if (!over || over.length === 0) return ROOT;
    if (!this.graph.joins.has(visit.node)) return this.along(over[0]!);
    return this.after(
      [...over].sort((a, b) => this.slot(a) - this.slot(b)),
      true,
    );
  }

  /** The rank of what begins with these arrivals, in the order of their edges. */
  private after(arrived: readonly Taken[], joins = arrived.length > 1): Rank {
    const ranks = arrived.map((one) => this.along(one));
    return joins ? joined(ranks, this.slot(arrived[0]!)) : ranks[0]!;
  }

  /** The rank of what goes over an edge: the branch of the visit before it, or a new one where several edges leave. */
  private along(taken: Taken): Rank {
    const above = this.ranks.get(taken.from) ?? ROOT;
    const beside = this.leaving.get(taken.from) ?? [];
    if (beside.length < 2) return above;
    return { above, branch: beside.indexOf(taken), slot: -1, depth: above.depth + 1 };
  }
}
