import { client, unwrap } from "@/shared/api/client";
import type { RunEvent } from "@/shared/api/shapes";
import { parseExact } from "@/shared/json/exact";

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

/** A run's events up to one, those of the runs that it goes on from first. */
export async function eventsUpTo(id: string, seq: number): Promise<RunEvent[]> {
  const own: RunEvent[] = [];
  for (let after = 0; after < seq;) {
    const events = await page(id, after);
    if (events.length === 0) break;
    after = events.at(-1)!.seq;
    for (const event of events) if (event.seq <= seq) own.push(event);
  }
  return [...(await eventsBefore(own[0])), ...own];
}

/** What came before a run: the events of the run from which it was forked. */
export async function eventsBefore(started: RunEvent | undefined): Promise<RunEvent[]> {
  const parent = started?.data.parent;
  if (typeof parent !== "string") return [];
  return eventsUpTo(parent, Number(String(started?.data.at_seq ?? 0)));
}
