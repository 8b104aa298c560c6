/**
 * The server's clock, as far as its answers tell.
 *
 * What happened when is told by the server, and the clock of the computer in front of it may be hours off.
 */

const SECOND = 1000;
/** How far the two clocks may be apart and still count as the same. */
const SAME_MS = 2000;

let ahead = 0;

/** Notes what an answer says about the time; `sent` is when it was asked for, by the clock here. */
export function hearClock(date: string | null, sent: number, received = Date.now()): void {
  const said = Date.parse(date ?? "");
  // A clock that was set meanwhile tells nothing, and neither does an answer that took long.
  if (Number.isNaN(said) || received < sent || received - sent > SAME_MS) return;
  // The header has whole seconds; it was written at some time between sending and receiving.
  const apart = said + SECOND / 2 - (sent + received) / 2;
  ahead = Math.abs(apart) <= SAME_MS ? 0 : apart;
}

/** The time now, by the server's clock. */
export const serverNow = (): number => Date.now() + ahead;
