/** Doing the same with several runs: what came of each. */
import type { RunRow } from "@/shared/api/shapes";

export interface Refused {
  row: RunRow;
  error: unknown;
}

export interface Outcome<T> {
  done: { row: RunRow; result: T }[];
  refused: Refused[];
}

/** Every one is tried, whatever came of the others. */
export async function each<T>(rows: readonly RunRow[], act: (id: string) => Promise<T>): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], refused: [] };
  const results = await Promise.allSettled(rows.map(({ id }) => act(id)));
  results.forEach((result, index) => {
    const row = rows[index]!;
    if (result.status === "fulfilled") outcome.done.push({ row, result: result.value });
    else outcome.refused.push({ row, error: result.reason });
  });
  return outcome;
}

/** The beginning of a run's id, by which people tell it from others. */
export const shortId = (id: string): string => id.slice(0, 8);
