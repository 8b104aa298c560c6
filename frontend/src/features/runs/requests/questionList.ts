import { GraphFold, type GraphVisit } from "../graph/fold";
import { eventsUpTo } from "./eventList";
import { runRead } from "./runRead";

/** What a run asks just now. */
export async function questionsOf(id: string): Promise<GraphVisit[]> {
  const run = await runRead(id);
  return new GraphFold().take(await eventsUpTo(id, Number(run.last_seq ?? 0))).questions;
}
