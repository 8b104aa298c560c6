/** Which of the states that arrived at a node become one visit. */
import type { Taken } from "./wires";

/** A node that waits for all edges of a group: the group of each edge that leads into it, in the order of the document. */
export type Join = ReadonlyMap<string, string>;
/** The nodes that wait, by name: at all others each arrival is a visit by itself. */
export type JoinModes = ReadonlyMap<string, Join>;

const START = "\u0000start";

/** Names an edge as a journal does: by its source, and its place among the edges that leave it. */
export const edgeName = (source: string, edge: number): string => `${source}\u0000${edge}`;

/** Finds the nodes that wait: those that take all, and into which several edges of one group lead. */
export function joinsOf(
  edges: readonly { source: string; targets: readonly string[]; group: string }[],
  entry: string,
  all: ReadonlySet<string>,
): JoinModes {
  const into = new Map<string, Map<string, string>>([...all].map((name) => [name, new Map<string, string>()]));
  into.get(entry)?.set(START, "all");
  const leaving = new Map<string, number>();
  for (const { source, targets, group } of edges) {
    const edge = leaving.get(source) ?? 0;
    leaving.set(source, edge + 1);
    for (const target of targets) into.get(target)?.set(edgeName(source, edge), group);
  }
  return new Map([...into].filter(([, join]) => new Set(join.values()).size < join.size));
}

/** The oldest arrival over each edge of one group, in the order of the edges. */
function round(join: Join, group: string, arrivals: readonly Taken[]): Taken[] {
  const first = new Map<string, Taken>();
  for (const one of arrivals) {
    const name = edgeName(one.source, one.edge);
    const known = first.get(name);
    if (!known || one.nth < known.nth) first.set(name, one);
  }
  return [...join].flatMap(([name, of]) => (of === group && first.has(name) ? [first.get(name)!] : []));
}

const groupsOf = (join: Join): string[] => [...new Set(join.values())];
/** The number of edges of a group. */
const size = (join: Join, group: string): number => [...join.values()].filter((of) => of === group).length;

/** The arrivals that one visit of a node that waits begins with: those of the group that is complete, if one is. */
export function roundOf(join: Join, arrivals: readonly Taken[]): Taken[] {
  const rounds = groupsOf(join).map((group) => ({ group, used: round(join, group, arrivals) }));
  const some = rounds.filter(({ used }) => used.length > 0);
  return (some.find(({ group, used }) => used.length === size(join, group)) ?? some[0])?.used ?? [];
}

/**
 * The arrivals of a visit of which it is known from which visits it follows, in the order of the edges: over each edge
 * one, the oldest with which all of these come in their order.
 */
export function roundAfter(join: Join, arrivals: readonly Taken[], parents: readonly string[]): Taken[] {
  const oldest = [...arrivals].sort((a, b) => a.nth - b.nth);
  const fit = (edges: readonly Taken[][], at: number, known: number): Taken[] | null => {
    if (at === edges.length) return known === parents.length ? [] : null;
    for (const one of edges[at]!) {
      const place = parents.indexOf(one.from);
      if (place > known) continue;
      const rest = fit(edges, at + 1, place === known ? known + 1 : known);
      if (rest) return [one, ...rest];
    }
    return null;
  };
  for (const group of groupsOf(join)) {
    const edges = [...join].flatMap(([name, of]) => {
      const over = of === group ? oldest.filter((one) => edgeName(one.source, one.edge) === name) : [];
      return over.length > 0 ? [over] : [];
    });
    const used = fit(edges, 0, 0);
    if (used) return used;
  }
  return roundOf(join, arrivals);
}

/** The rounds that are complete although no visit began with them, as where a run's limit of turns was reached. */
export function completeRounds(join: Join, arrivals: readonly Taken[]): Taken[][] {
  const rounds: Taken[][] = [];
  let left = arrivals;
  for (;;) {
    const used = groupsOf(join).map((group) => ({ group, used: round(join, group, left) }));
    const full = used.find((one) => one.used.length === size(join, one.group))?.used;
    if (!full) return rounds;
    rounds.push(full);
    left = left.filter((one) => !full.includes(one));
  }
}
