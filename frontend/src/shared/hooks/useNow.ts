import { useEffect, useState } from "react";
import { serverNow } from "@/shared/api/serverClock";

/** The time now by the server's clock, renewed every `everyMs` while `active`. */
export function useNow(everyMs: number, active = true): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (!active) return;
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active]);
  return now;
}
