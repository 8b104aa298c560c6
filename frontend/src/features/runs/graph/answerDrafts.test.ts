import { beforeEach, expect, it } from "vitest";
import { lostDrafts, useAnswerDrafts } from "./answerDrafts";

const lost = (asked: { id: string }[]) => lostDrafts(useAnswerDrafts.getState().drafts, "run", asked);
const { type, send, drop } = useAnswerDrafts.getState();

beforeEach(() => {
  useAnswerDrafts.setState({ drafts: new Map() });
  type("v1", { run: "run", node: "ask", typed: new Map([["", "half a sentence"]]) });
});

it("keeps what was typed when its question is answered by somebody else, until it is dismissed", () => {
  expect(lost([{ id: "v1" }])).toEqual([]);
  expect(lost([]).map(([visit, { typed }]) => [visit, typed.get("")])).toEqual([["v1", "half a sentence"]]);
  drop("v1");
  expect(lost([])).toEqual([]);
});

it("keeps quiet while one's own answer is on its way, and speaks when it was refused", () => {
  send("v1", true);
  expect(lost([])).toEqual([]);
  send("v1", false);
  expect(lost([])).toHaveLength(1);
});

it("says nothing of fields that were emptied again", () => {
  type("v1", { run: "run", node: "ask", typed: new Map([["", " "]]) });
  expect(lost([])).toEqual([]);
});
