/** The one websocket client: reconnects from the last event, tells when the link is down. */
import { WebSocket as ReconnectingSocket } from "partysocket";
import { create } from "zustand";
import { parseExact } from "@/shared/json/exact";
import type { RunEvent, RunRow } from "@/shared/api/shapes";
import { JournalOrder } from "./journal";

/** Close codes after which trying again makes no sense: signed out, not allowed, not there. */
const FINAL_CODES = new Set([4401, 4403, 4404]);

interface LinkState {
  down: ReadonlySet<string>;
  mark: (link: string, isDown: boolean) => void;
}

/** Which live links are down just now. */
export const useLinks = create<LinkState>((set) => ({
  down: new Set<string>(),
  mark: (link, isDown) =>
    set(({ down }) => {
      if (down.has(link) === isDown) return { down };
      const next = new Set(down);
      if (isDown) next.add(link);
      else next.delete(link);
      return { down: next };
    }),
}));

export interface Link {
  close: () => void;
  /** Drops the connection and opens it again at once. */
  renew: () => void;
  send: (message: unknown) => void;
}

function openLink(address: () => string, onFrame: (frame: unknown) => void, onOpen?: () => void): Link {
  const name = `${address()}#${Math.random()}`;
  const { mark } = useLinks.getState();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new ReconnectingSocket(() => `${scheme}://${location.host}${address()}`, [], {
    minReconnectionDelay: 300,
    maxReconnectionDelay: 2000,
    reconnectionDelayGrowFactor: 1.5,
    connectionTimeout: 4000,
  });
  let closed = false;
  const close = () => {
    closed = true;
    window.removeEventListener("offline", offline);
    window.removeEventListener("online", online);
    mark(name, false);
    socket.close();
  };
  const offline = () => mark(name, true);
  const online = () => socket.reconnect();
  window.addEventListener("offline", offline);
  window.addEventListener("online", online);
  socket.addEventListener("open", () => {
    mark(name, false);
    onOpen?.();
  });
  socket.addEventListener("close", (event) => {
    if (closed) return;
    if (FINAL_CODES.has(event.code)) close();
    else mark(name, true);
  });
  socket.addEventListener("message", (event) => onFrame(parseExact(String(event.data))));
  return { close, renew: () => socket.reconnect(), send: (message) => socket.send(JSON.stringify(message)) };
}

const isTerminal = (event: RunEvent) => /^run\.(finished|failed|cancelled)$/.test(event.type);

export interface RunJournal {
  close: () => void;
  /** Told how far the journal is; asks again when nothing came since the last time it was told so. */
  expect: (lastSeq: number) => void;
}

/** Follows a run's events, from the first one, each once and in order. */
export function followRun(id: string, onEvents: (all: readonly RunEvent[], done: boolean) => void): RunJournal {
  const order = new JournalOrder<RunEvent>();
  let stuckAt = -1;
  const link = openLink(
    () => `/ws/runs/${id}/?after=${order.last}`,
    (frame) => {
      const { events } = frame as { events?: RunEvent[] };
      if (!events) return;
      const { added, gap } = order.take(events);
      const done = added.some(isTerminal);
      if (added.length > 0) onEvents(order.events, done);
      if (gap) link.renew();
      else if (done) link.close();
    },
  );
  return {
    close: link.close,
    expect: (lastSeq) => {
      if (lastSeq > order.last && stuckAt === order.last) link.renew();
      stuckAt = lastSeq > order.last ? order.last : -1;
    },
  };
}

interface RunsListener {
  onRows: (rows: RunRow[]) => void;
  onOpen?: () => void;
}

const listening = new Set<RunsListener>();
let runsLink: Link | null = null;

/** Follows the list of runs; all who do share one link. `onOpen` is told whenever it was opened (again). */
export function followRuns(onRows: RunsListener["onRows"], onOpen?: RunsListener["onOpen"]): { close: () => void } {
  const listener = { onRows, onOpen };
  listening.add(listener);
  runsLink ??= openLink(
    () => "/ws/runs/",
    (frame) => {
      const { runs } = frame as { runs?: RunRow[] };
      if (runs) listening.forEach((one) => one.onRows(runs));
    },
    () => listening.forEach((one) => one.onOpen?.()),
  );
  return {
    close: () => {
      listening.delete(listener);
      if (listening.size > 0) return;
      runsLink?.close();
      runsLink = null;
    },
  };
}
