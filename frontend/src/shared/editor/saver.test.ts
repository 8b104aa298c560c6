import { describe, expect, it } from "vitest";
import { ApiError } from "@/shared/api/client";
import type { Tool } from "@/shared/api/shapes";
import { pushText, redo, startHistory, undo } from "./history";
import { DraftSaver, type SaveState } from "./saver";

type Body = { yaml: string; base_revision: number; note?: string };

function bench(answer: (body: Body, n: number) => Tool | Error | Promise<Tool>) {
  const states: SaveState[] = [];
  const sent: Body[] = [];
  const timers: { call: () => void; at: number; live: boolean }[] = [];
  let clock = 0;
  const saver = new DraftSaver("a", 1, {
    save: async (body) => {
      sent.push(body);
      const result = await answer(body, sent.length);
      if (result instanceof Error) throw result;
      return result;
    },
    now: () => clock,
    later: (call, ms) => {
      const timer = { call, at: clock + ms, live: true };
      timers.push(timer);
      return () => {
        timer.live = false;
      };
    },
    onState: (state) => states.push(state),
    onSaved: () => undefined,
  });
  const pass = async (ms: number) => {
    clock += ms;
    for (const timer of timers) {
      if (timer.live && timer.at <= clock) {
        timer.live = false;
        timer.call();
      }
    }
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
  };
  return { saver, states, sent, pass, last: () => states.at(-1)! };
}

const stored = (body: Body) => ({ yaml: body.yaml, revision: body.base_revision + 1 }) as Tool;

describe("saving a draft", () => {
  it("waits for a pause, then saves what is there", async () => {
    const { saver, sent, pass, last } = bench(stored);
    saver.change("ab");
    await pass(500);
    saver.change("abc");
    await pass(999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual([{ yaml: "abc", base_revision: 1 }]);
    expect(last()).toMatchObject({ kind: "saved" });
    expect(saver.revision).toBe(2);
  });

  it("saves while someone types without a pause", async () => {
    const { saver, sent, pass } = bench(stored);
    for (let i = 0; i < 12; i += 1) {
      saver.change(`a${i}`);
      await pass(500);
    }
    expect(sent.length).toBe(1);
  });

  it("never says saved while a change is pending", async () => {
    let release: (tool: Tool) => void = () => undefined;
    const { saver, sent, states, pass, last } = bench((body, n) =>
      n === 1 ? new Promise<Tool>((resolve) => (release = resolve)) : stored(body),
    );
    saver.change("b");
    await pass(1000);
    saver.change("c");
    release({ yaml: "b", revision: 2 } as Tool);
    await pass(0);
    expect(last().kind).toBe("pending");
    expect(states.some((state) => state.kind === "saved")).toBe(false);
    await pass(1000);
    expect(sent.at(-1)).toEqual({ yaml: "c", base_revision: 2 });
    expect(last().kind).toBe("saved");
  });

  it("undone to the stored text is saved without a new version", async () => {
    const { saver, sent, pass, last } = bench(stored);
    saver.change("b");
    saver.change("a");
    await pass(5000);
    expect(sent).toEqual([]);
    expect(last().kind).toBe("saved");
  });

  it("shows a conflict, keeps both texts, and saves the merged one on theirs", async () => {
    const current = { revision: 5, yaml: "theirs", updated_at: "", updated_by: "bo" };
    const { saver, sent, pass, last } = bench((body, n) => (n === 1 ? new ApiError(409, { current }) : stored(body)));
    saver.change("mine");
    await pass(1000);
    expect(last()).toEqual({ kind: "conflict", conflict: { current, yours: { base_revision: 1, yaml: "mine" } } });
    saver.change("mine, more");
    await pass(9000);
    expect(sent).toHaveLength(1);
    await saver.resolve("both");
    expect(sent.at(-1)).toEqual({ yaml: "both", base_revision: 5 });
    expect(last().kind).toBe("saved");
  });

  it("waits for the sign-in, and saves by itself then", async () => {
    const { saver, sent, pass, last } = bench((body, n) => (n === 1 ? new ApiError(401, {}) : stored(body)));
    saver.change("b");
    await pass(1000);
    saver.change("c");
    await pass(9000);
    expect(last()).toMatchObject({ kind: "failed", why: "signedOut" });
    expect(sent).toHaveLength(1);
    saver.retry();
    await pass(0);
    expect(sent.at(-1)!.yaml).toBe("c");
    expect(last().kind).toBe("saved");
  });

  it("saves nothing for someone else", async () => {
    const { saver, sent, pass } = bench(() => new ApiError(401, {}));
    saver.change("b");
    await pass(1000);
    saver.stop();
    saver.retry();
    saver.change("c");
    await pass(9000);
    expect(sent).toHaveLength(1);
    expect(saver.hasUnsaved).toBe(false);
  });

  it("tries again when the connection was lost, and says what the server refused", async () => {
    const { saver, sent, pass, last } = bench((body, n) =>
      n === 1 ? new TypeError("network") : n === 2 ? new ApiError(400, { detail: "Another name." }) : stored(body),
    );
    saver.change("b");
    await pass(1000);
    expect(last()).toMatchObject({ kind: "failed", why: "offline" });
    await pass(3000);
    expect(last()).toEqual({ kind: "failed", why: "refused", message: "Another name." });
    saver.change("c");
    await pass(1000);
    expect(sent).toHaveLength(3);
    expect(last().kind).toBe("saved");
  });
});

describe("one history of texts", () => {
  it("joins what is typed in one go, and gives everything back", () => {
    let history = startHistory("a");
    history = pushText(history, "ab", "yaml", 0);
    history = pushText(history, "abc", "yaml", 300);
    history = pushText(history, "abcd", "form", 400);
    expect(undo(history).present).toBe("abc");
    expect(undo(undo(history)).present).toBe("a");
    expect(undo(undo(undo(history))).present).toBe("a");
    expect(redo(redo(undo(undo(history)))).present).toBe("abcd");
  });
});
