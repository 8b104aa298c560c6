import { useEffect, useState } from "react";
import type { RunRow } from "@/shared/api/shapes";
import { useLostSession } from "@/shared/session/session";
import { followRuns } from "@/shared/socket/live";

/** The changes of runs that came since the page was read, by id. */
export function useLiveRuns(): ReadonlyMap<string, RunRow> {
  const [changes, setChanges] = useState<ReadonlyMap<string, RunRow>>(new Map());
  const signedOut = useLostSession((state) => state.lost);
  useEffect(() => {
    if (signedOut) return;
    const link = followRuns((rows) =>
      setChanges((now) => new Map([...now, ...rows.map((row) => [row.id, row] as const)])),
    );
    return link.close;
  }, [signedOut]);
  return changes;
}
