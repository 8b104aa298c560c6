/** The filters of the list of runs, as they stand in the address: days are the reader's own. */
import type { RunRow } from "@/shared/api/shapes";
import type { RunFilters } from "./requests/runList";

export type Search = Partial<Record<"kind" | "name" | "status" | "user" | "from" | "to", string>>;

const startOf = (day: string) => new Date(`${day}T00:00:00`);
const endOf = (day: string) => new Date(`${day}T23:59:59.999`);
const isDay = (day: string | undefined): day is string => /^\d{4}-\d\d-\d\d$/.test(day ?? "");

/** What the server is asked for. */
export function askedFor(search: Search): RunFilters {
  const { kind, from, to, ...rest } = search;
  return {
    ...rest,
    ...(kind === "tool" || kind === "graph" ? { kind } : {}),
    ...(isDay(from) ? { from: startOf(from).toISOString() } : {}),
    ...(isDay(to) ? { to: endOf(to).toISOString() } : {}),
  };
}

/** Whether a run that just came belongs into the list. */
export function fits(row: RunRow, search: Search): boolean {
  const at = new Date(row.created_at);
  return (
    (!search.name || row.name === search.name) &&
    (!search.user || row.user === search.user) &&
    (!search.kind || row.kind === search.kind) &&
    (!search.status || search.status.split(",").includes(row.status)) &&
    (!isDay(search.from) || at >= startOf(search.from)) &&
    (!isDay(search.to) || at <= endOf(search.to))
  );
}

/** Whether a run can still be stopped. */
export const isLive = (row: RunRow): boolean =>
  ["queued", "running", "waiting", "paused", "stopping"].includes(row.status);

/** Whether a run can be tried again from where it ended. */
export const mayRetry = (row: RunRow): boolean => row.status === "failed" || row.status === "cancelled";
