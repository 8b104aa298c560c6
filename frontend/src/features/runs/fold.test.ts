import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/shared/api/shapes";
import { foldRun, foldSteps } from "./fold";

let seq = 0;
const event = (type: string, data: Record<string, unknown> = {}, visit: string | null = null): RunEvent => ({
  seq: (seq += 1),
  at: "2026-01-01T00:00:00Z",
  type,
  node: null,
  visit,
  path: [],
  data,
});

describe("folding a run", () => {
  it("shows a step while it runs, then what it found", () => {
    const events = [
      event("run.started", { inputs: { city: "Paris" }, environment: null, name: "w", revision: 3 }),
      event("step.started", { step: 0, visit: 0 }, "0"),
    ];
    expect(foldRun(events)).toMatchObject({ status: "running", done: false, visits: [{ step: 0, state: "running" }] });
    events.push(
      event(
        "step.response",
        { step: 0, cached: false, duration_ms: 12, request: { method: "GET" }, response: { status: 200 } },
        "0",
      ),
      event("step.variable", { step: 0, name: "t", value: null, text: "", missing: null }, "0"),
      event("step.jump", { step: 0, target: 2, reason: "jump", variable: "t" }, "0"),
      event("step.finished", { step: 0, duration_ms: 14, cached: false }, "0"),
      event("run.finished", { output: "ok", duration_ms: 20 }),
    );
    expect(foldRun(events)).toMatchObject({
      status: "finished",
      done: true,
      output: "ok",
      durationMs: 20,
      visits: [{ state: "finished", durationMs: 14, jump: { target: 2, reason: "jump" }, variables: [{ name: "t" }] }],
    });
  });

  it("keeps two visits of one step apart and marks the one that failed", () => {
    const view = foldRun([
      event("step.started", { step: 1 }, "0"),
      event("step.finished", { step: 1, duration_ms: 1 }, "0"),
      event("step.started", { step: 1 }, "1"),
      event("run.failed", { error: { kind: "request", message: "refused", step: 1 }, duration_ms: 3 }),
    ]);
    expect(view.visits.map(({ state }) => state)).toEqual(["finished", "failed"]);
    expect(view.error?.message).toBe("refused");
  });
});

it("gives each of several calls at once its own steps", () => {
  const told = (type: string, call: number, visit: number, more: Record<string, unknown> = {}) =>
    event(type, { call, visit, step: visit, ...more }, "4");
  const steps = foldSteps([
    told("step.started", 1, 0),
    told("step.started", 0, 0),
    told("step.variable", 1, 0, { name: "x", text: "one" }),
    told("step.finished", 0, 0, { duration_ms: 5 }),
    told("step.started", 0, 1),
    told("step.finished", 1, 0, { duration_ms: 9 }),
    told("step.variable", 0, 1, { name: "x", text: "zero" }),
  ]);
  expect(
    steps.map(({ call, step, state, durationMs, variables }) => [call, step, state, durationMs, variables[0]?.text]),
  ).toEqual([
    [0, 0, "finished", 5, undefined],
    [0, 1, "running", null, "zero"],
    [1, 0, "finished", 9, "one"],
  ]);
});
