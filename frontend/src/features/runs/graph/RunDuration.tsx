import type { Run } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";

interface Props {
  run: Run;
  since: string | null;
  done: number | null;
}

/** How long a run takes or took; counts while it goes on. */
export function RunDuration({ run, since, done }: Props) {
  const format = useFormat();
  const live = done === null && run.finished_at === null && since !== null;
  const now = useNow(200, live);
  return <>{format.duration(live ? Math.max(0, now - Date.parse(since)) : (done ?? run.duration_ms))}</>;
}
