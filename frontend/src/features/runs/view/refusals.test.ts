import { describe, expect, it } from "vitest";
import type { StepVisit } from "../fold";
import { missedBy, refusalBehind, refusalOf } from "./refusals";

const visit = (step: number, status: number | null, missing: ("empty" | "default" | null)[] = []) =>
  ({
    step,
    state: "finished",
    response: status === null ? null : { status },
    variables: missing.map((one, n) => ({ name: `v${n}`, missing: one })),
  }) as StepVisit;

describe("answers that refuse", () => {
  it("are those from 400 on", () => {
    expect([200, 204, 302, 399, 400, 404, 500].map((status) => refusalOf(visit(0, status)))).toEqual([
      null,
      null,
      null,
      null,
      400,
      404,
      500,
    ]);
    expect(refusalOf(visit(0, null))).toBeNull();
  });

  it("explain what was not found in them", () => {
    expect(missedBy(visit(0, 404, ["empty", null, "default"]))).toEqual(["v0", "v2"]);
    expect(missedBy(visit(0, 200, ["empty"]))).toEqual([]);
  });

  it("explain an error of the same step, and of its last visit", () => {
    const visits = [visit(0, 404), visit(1, 500), visit(1, 200)];
    expect(refusalBehind({ kind: "extract", step: 0 }, visits)).toBe(404);
    expect(refusalBehind({ kind: "not_structured", step: 1 }, visits)).toBeNull();
    expect(refusalBehind({ kind: "request", step: 0 }, visits)).toBeNull();
    expect(refusalBehind({ kind: "extract", step: null }, visits)).toBeNull();
  });
});
