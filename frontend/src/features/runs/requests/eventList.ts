import { client, unwrap } from "@/shared/api/client";
import type { RunEvent } from "@/shared/api/shapes";
import { parseExact } from "@/shared/json/exact";
import { isCut } from "../fold";

const PAGE = 5000;

async function page(id: string, after: number): Promise<RunEvent[]> {
  const text = await unwrap<string>(
    client.GET("/api/v1/runs/{run_id}/events/", {
      params: { path: { run_id: id }, query: { after, limit: PAGE } },
      parseAs: "text",
    }) as never,
  );
  return (parseExact(text) as { events: RunEvent[] }).events;
}

/** Notes which run keeps the whole of what came cut off: events of earlier runs are shown on the pages of later ones. */
function keepRun(value: unknown, run: string): void {
  if (typeof value !== "object" || value === null) return;
  if (isCut(value)) value.run = run;
  else for (const item of Object.values(value)) keepRun(item, run);
}

/** A run's events up to one, those of the runs that it goes on from first. */
export async function eventsUpTo(id: string, seq: number): Promise<RunEvent[]> {
  const own: RunEvent[] = [];
  for (let after = 0; after < seq;) {
    const events = await page(id, after);
    if (events.length === 0) break;
    after = events.at(-1)!.seq;
    for (const event of events) if (event.seq <= seq) own.push(event);
  }
  for (const event of own) keepRun(event.data, id);
  return [...(await eventsBefore(own[0])), ...own];
}

/** What came before a run: the events of the run from which it was forked. */
export async function eventsBefore(started: RunEvent | undefined): Promise<RunEvent[]> {
  const parent = started?.data.parent;
  if (typeof parent !== "string") return [];
  return eventsUpTo(parent, Number(String(started?.data.at_seq ?? 0)));
}
