/** Answers that refuse: the step did run, but nobody should take it for a success. */
import type { StepVisit } from "../fold";

const REFUSALS_FROM = 400;
const FOLLOWS = new Set(["extract", "not_structured"]);

/** The status with which a server refused a step, or null. */
export function refusalOf(visit: StepVisit): number | null {
  const status = Number(visit.response?.status ?? 0);
  return status >= REFUSALS_FROM ? status : null;
}

/** The variables that were missing in an answer that refused. */
export function missedBy(visit: StepVisit): string[] {
  if (refusalOf(visit) === null) return [];
  return visit.variables.filter(({ missing }) => missing !== null).map(({ name }) => name);
}

/** The status that is behind an error of a step: what was looked for isn't in an answer that refuses. */
export function refusalBehind(
  error: { kind: string; step: number | null },
  visits: readonly StepVisit[],
): number | null {
  const visit = visits.findLast(({ step }) => step === Number(error.step));
  return error.step !== null && visit && FOLLOWS.has(error.kind) ? refusalOf(visit) : null;
}
