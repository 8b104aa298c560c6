import { expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { graphOf, same } from "./definition";
import { GraphFold } from "./fold";
import journals from "./journals.json";
import { type State, stateBefore } from "./state";

/**
 * Journals of debugged runs with filters, joins, loops, values changed and steps taken back, as the server wrote them,
 * each with the states that its engine gave to the visits.
 */
it.each(journals.map(({ graph, events, states }, index) => ({ index, graph, events, states })))(
  "reckons every state of recorded run $index as the engine did",
  ({ graph: document, events, states }) => {
    const graph = graphOf(document);
    const told = events.map((event, seq) => ({ ...event, seq: seq + 1, at: "2026-01-01T00:00:00Z" }));
    const fold = new GraphFold(graph.joins).take(told as unknown as RunEvent[]);
    const visits = fold.order.filter((visit) => visit.id in states && !visit.takenBack);
    expect(visits.length).toBeGreaterThan(1);
    for (const visit of visits) {
      const expected = (states as unknown as Record<string, State>)[visit.id]!;
      const reckoned = stateBefore(graph, fold, visit);
      for (const [name, value] of Object.entries(expected))
        expect(same(reckoned[name], value), `${name} before ${visit.id}`).toBe(true);
    }
  },
);
