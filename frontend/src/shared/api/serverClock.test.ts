import { afterEach, expect, it } from "vitest";
import { hearClock, serverNow } from "./serverClock";

const HOUR = 3_600_000;
const header = (at: number) => new Date(at).toUTCString();
const apart = () => Math.round((serverNow() - Date.now()) / HOUR);

afterEach(() => hearClock(header(Date.now()), Date.now()));

it.each([-5, -1, 1, 5])("follows a server whose clock is %i hours away", (hours) => {
  const now = Date.now();
  hearClock(header(now + hours * HOUR), now - 100, now);
  expect(apart()).toBe(hours);
});

it("takes clocks that are about the same for the same", () => {
  const now = Date.now();
  hearClock(header(now + 5 * HOUR), now, now);
  hearClock(header(now - 1200), now - 300, now);
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(50);
});

it("learns nothing from an answer that took long, has no time, or came before it was asked for", () => {
  const now = Date.now();
  hearClock(header(now + HOUR), now - 60_000, now);
  hearClock(null, now, now);
  hearClock("soon", now, now);
  hearClock(header(now + HOUR), now + HOUR, now);
  expect(apart()).toBe(0);
});
