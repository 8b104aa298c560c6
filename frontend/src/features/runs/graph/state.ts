/** The state before and after a visit: the deltas it follows from, put together as the graph declares. */
import { ExactNumber, fromPlain, writeJson } from "@/shared/json/exact";
import { own } from "@/shared/own";
import { isCut } from "../fold";
import { Branches } from "./branches";
import { type RunGraph, same } from "./definition";
import type { GraphFold, GraphVisit } from "./fold";

export type State = Record<string, unknown>;

/** Of a list that came cut off nobody knows the items: it stands as one. */
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value]);
const asMap = (value: unknown): State =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as State) : {};
const keyOf = (value: unknown) => writeJson(fromPlain(value));
const asNumber = (value: unknown): number => Number(String(value ?? 0));

function sum(old: unknown, added: unknown): unknown {
  const texts = [old ?? 0, added ?? 0].map(String);
  if (texts.every((one) => /^-?\d+$/.test(one))) {
    const whole = texts.reduce((total, one) => total + BigInt(one), 0n);
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : new ExactNumber(String(whole));
  }
  return asNumber(old) + asNumber(added);
}

function extreme(old: unknown, added: unknown, sign: 1 | -1): unknown {
  if (old === null || old === undefined) return added;
  if (added === null || added === undefined) return old;
  const [a, b] = typeof old === "string" && typeof added === "string" ? [old, added] : [asNumber(old), asNumber(added)];
  return (sign === 1 ? b > a : b < a) ? added : old;
}

/** One write to a state variable, by its update strategy. */
export function update(strategy: string, old: unknown, added: unknown): unknown {
  switch (strategy) {
    case "append":
      if (isCut(added) && asList(old ?? null).length === 0) return added;
      return [...asList(old ?? null), ...asList(added ?? null)];
    case "append_messages": {
      const kept = new Map<unknown, unknown>();
      for (const message of [...asList(old ?? null), ...asList(added ?? null)]) {
        const id = asMap(message).msg_id ?? Symbol("message");
        if (!kept.has(id)) kept.set(id, message);
      }
      return [...kept.values()];
    }
    case "add":
      return sum(old, added);
    case "merge":
      return isCut(added) ? added : { ...(isCut(old) ? { "…": old } : asMap(old)), ...asMap(added) };
    case "max":
      return extreme(old, added, 1);
    case "min":
      return extreme(old, added, -1);
    case "union": {
      const kept = new Map([...asList(old ?? null), ...asList(added ?? null)].map((item) => [keyOf(item), item]));
      return [...kept.values()];
    }
    default:
      return added;
  }
}

/** One state that came over an edge: what was written before it, or what the edge's filter made of that. */
interface Arrival {
  from: string;
  channels: State | null;
}

const START = "";
const arrivalsAt = (visit: GraphVisit): Arrival[] =>
  visit.parents.length === 0
    ? [{ from: START, channels: null }]
    : visit.parents.map((from, index) => ({ from, channels: visit.carried[index] ?? null }));

/**
 * What was written before these states, each write once: what they share first, then branch by branch in the order of
 * the edges. A filter's answer is one write of all variables, and what came before it no longer counts.
 */
function ancestry(fold: GraphFold, arrivals: readonly Arrival[]): State[] {
  const writes: State[] = [];
  const seen = new Set<string | State>();
  const stack: { write: State | null; arrivals: readonly Arrival[]; next: number }[] = [
    { write: null, arrivals, next: 0 },
  ];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const arrival = top.arrivals[top.next];
    top.next += 1;
    if (arrival === undefined) {
      stack.pop();
      if (top.write) writes.push(top.write);
      continue;
    }
    const key = arrival.channels ?? arrival.from;
    if (seen.has(key)) continue;
    seen.add(key);
    if (arrival.channels) writes.push(arrival.channels);
    else if (arrival.from === START) writes.push(fold.inputs);
    else {
      const found = fold.visits.get(arrival.from);
      if (found) stack.push({ write: found.delta, arrivals: arrivalsAt(found), next: 0 });
    }
  }
  return writes;
}

/** Puts deltas on top of a state. Lists that were made here grow in place: a thousand appends cost a thousand. */
function write(graph: RunGraph, state: State, deltas: Iterable<State>): State {
  const next = { ...state };
  const lists = new Map<string, unknown[]>();
  for (const delta of deltas) {
    for (const [name, value] of Object.entries(delta)) {
      const channel = graph.channels.get(name);
      const list = channel?.update === "append" ? lists.get(name) : undefined;
      if (list) {
        for (const item of asList(value ?? null)) list.push(item);
        continue;
      }
      const old = Object.hasOwn(next, name) ? next[name] : channel?.initial;
      const made = update(channel?.update ?? "overwrite", old, value);
      next[name] = made;
      if (channel?.update === "append" && Array.isArray(made)) lists.set(name, made);
    }
  }
  return next;
}

function fromWrites(graph: RunGraph, writes: readonly State[]): State {
  const empty = Object.fromEntries([...graph.channels].map(([name, channel]) => [name, channel.initial]));
  return write(graph, empty, writes);
}

export function stateBefore(graph: RunGraph, fold: GraphFold, visit: GraphVisit): State {
  return fromWrites(graph, ancestry(fold, arrivalsAt(visit)));
}

export function stateAfter(graph: RunGraph, fold: GraphFold, visit: GraphVisit): State {
  return fromWrites(graph, [...ancestry(fold, arrivalsAt(visit)), visit.delta]);
}

/** The state as a run stands: what every branch wrote that is under way, waits at a join or has reached the end. */
export function stateNow(graph: RunGraph, fold: GraphFold): State {
  if (fold.done && !isCut(fold.output) && Object.keys(asMap(fold.output)).length > 0) return asMap(fold.output);
  const branches = new Branches(graph, fold);
  const arrived = branches.arrivals(fold.taken.filter(({ into }) => into === null));
  const open = branches.visits(fold.unfinished.filter(({ path }) => path.length === 0));
  const arrivals = [...arrived, ...open.flatMap(arrivalsAt)];
  return fromWrites(graph, ancestry(fold, arrivals.length > 0 ? arrivals : [{ from: START, channels: null }]));
}

export interface Difference {
  name: string;
  before: unknown;
  after: unknown;
  changed: boolean;
}

export function differences(before: State, after: State): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    before: own(before, name),
    after: own(after, name),
    changed: !same(own(before, name), own(after, name)),
  }));
}
