import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { graphOf, same } from "./definition";
import { GraphFold } from "./fold";
import journals from "./journals.json";
import { type State, stateBefore, stateNow } from "./state";

interface Recorded {
  graph: unknown;
  events: RunEvent[];
  states: Record<string, State>;
  now: [number, State][];
}

const recorded = (journals as unknown as Recorded[]).map(({ graph, events, ...rest }, index) => ({
  index,
  graph: graphOf(graph),
  events: events.map((event, seq) => ({ ...event, seq: seq + 1, at: "2026-01-01T00:00:00Z" })),
  ...rest,
}));

/**
 * Journals of debugged runs with forks, joins, loops, filters, limits, values changed and steps taken back, each with
 * the states that the engine gave (`tests/support/recorded_states.py` makes more of them).
 */
describe.each(recorded)("recorded run $index", ({ graph, events, states, now }) => {
  const expectSame = (reckoned: State, expected: State, when: string) => {
    for (const [name, value] of Object.entries(expected))
      expect(same(reckoned[name], value), `${name} ${when}`).toBe(true);
  };

  it("has the states before its visits that the engine gave them", () => {
    const fold = new GraphFold(graph.joins).take(events);
    const visits = fold.order.filter((visit) => visit.id in states && !visit.takenBack);
    expect(visits.length).toBeGreaterThan(1);
    for (const visit of visits) expectSame(stateBefore(graph, fold, visit), states[visit.id]!, `before ${visit.id}`);
  });

  it.skipIf(now.length === 0)("stands wherever it paused as the engine says, whichever branch was faster", () => {
    const fold = new GraphFold(graph.joins);
    for (const [seen, state] of now)
      expectSame(stateNow(graph, fold.take(events, fold.seen, seen)), state, `after ${seen} events`);
  });
});
