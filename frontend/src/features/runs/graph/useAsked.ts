import { useQuery } from "@tanstack/react-query";
import { useNow } from "@/shared/hooks/useNow";
import { type AskedNow, askedNow } from "../requests/askedNow";
import { durationOf, type GraphVisit } from "./visits";

/** Before that most steps have ended, and told it themselves. */
const SOON_MS = 600;
const AGAIN_MS = 2000;

/** What a visit was called with and what it asked of models: as the journal tells it, and before that while it runs. */
export function useAsked(run: string, visit: GraphVisit, past: boolean): AskedNow {
  const running = visit.state === "running" && !past;
  const now = useNow(SOON_MS / 2, running);
  const { data } = useQuery({
    queryKey: ["asked-now", run, visit.id, visit.startedAt],
    queryFn: () => askedNow(run, visit.id),
    enabled: running && (durationOf(visit, now) ?? 0) > SOON_MS,
    refetchInterval: AGAIN_MS,
    retry: false,
  });
  const told = visit.input !== undefined || visit.asked !== undefined;
  return told || !running || !data ? visit : data;
}
