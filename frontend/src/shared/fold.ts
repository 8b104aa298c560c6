/** Lists in which much is alike: what belongs to the newest of its kind is folded under it. */
export interface Folded<T> {
  head: T;
  rest: T[];
}

/** Saves of one person within this time after each other's newest are one sitting. */
export const SITTING_MS = 10 * 60_000;

/** Puts neighbours together: each row joins the row above that leads, where `joins` says so. */
export function foldAlike<T>(rows: readonly T[], joins: (head: T, row: T) => boolean): Folded<T>[] {
  const folded: Folded<T>[] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    if (last && joins(last.head, row)) last.rest.push(row);
    else folded.push({ head: row, rest: [] });
  }
  return folded;
}

/** Whether two moments, as texts, belong to one sitting. */
export function oneSitting(newer: string, older: string): boolean {
  return new Date(newer).getTime() - new Date(older).getTime() <= SITTING_MS;
}
