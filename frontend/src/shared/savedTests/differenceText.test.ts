import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import type { Difference } from "@/shared/api/shapes";
import en from "@/shared/i18n/en.json";
import zh from "@/shared/i18n/zh.json";
import { differenceSides, differenceText } from "./differenceText";
import { titleOf } from "./titleOf";

const asItIs = (text: string) => text;
const BARE = { message: "", node: null, step: null, path: null, expected: null, got: null };
const difference = (some: Partial<Difference>) => ({ ...BARE, ...some }) as Difference;
const texts = i18next.createInstance();

beforeAll(() =>
  texts.init({
    lng: "en",
    resources: { en: { translation: en }, zh: { translation: zh } },
    interpolation: { escapeValue: false },
  }),
);

describe("a difference in words", () => {
  it("says which step of which node asked for something else", () => {
    const one = difference({ kind: "request", node: "look_up", step: 1, expected: "GET a", got: "GET b" });
    expect(differenceText(one, texts.getFixedT("en"))).toBe("Step 1 of look_up sends another request.");
    expect(differenceText(one, texts.getFixedT("zh"))).toBe("look_up 的步骤 1 发送了不同的请求。");
    expect(differenceText({ ...one, node: null }, texts.getFixedT("en"))).toBe("Step 1 sends another request.");
    expect(differenceSides(one, texts.getFixedT("en"), asItIs)).toEqual({ before: "GET a", now: "GET b" });
  });

  it("says which node asks a model otherwise, and shows both", () => {
    const one = difference({ kind: "asked", node: "reply", path: "[0].content", expected: '"a"', got: '"b"' });
    expect(differenceText(one, texts.getFixedT("en"))).toBe("reply asks a model otherwise.");
    expect(differenceText(one, texts.getFixedT("zh"))).toBe("reply 向模型提出的内容不同。");
    expect(differenceSides(one, texts.getFixedT("en"), asItIs)).toEqual({ before: '"a"', now: '"b"' });
  });

  it("says where the run parts from its recording", () => {
    const t = texts.getFixedT("en");
    const one = difference({ kind: "visit", node: "reply", path: "look_up", got: "reply" });
    expect(differenceText(one, t)).toBe("After look_up the run goes another way.");
    expect(differenceText({ ...one, path: null }, t)).toBe("The run begins another way.");
    expect(differenceSides(one, t, asItIs)).toEqual({ before: "nothing", now: "reply" });
  });

  it("tells a run that fails now from one that fails no more", () => {
    const t = texts.getFixedT("en");
    expect(differenceText(difference({ kind: "status", got: "No" }), t)).toBe("The run fails.");
    expect(differenceSides(difference({ kind: "status", got: "No" }), t, asItIs)).toEqual({
      before: "finished well",
      now: "No",
    });
    expect(differenceText(difference({ kind: "status", expected: "No" }), t)).toBe("The run doesn't fail any more.");
  });

  it("shows a server's sentence where it knows no better one", () => {
    const newer = { ...difference({ message: "Something new." }), kind: "newer" } as unknown as Difference;
    expect(differenceText(newer, texts.getFixedT("zh"))).toBe("Something new.");
  });
});

describe("the first title of a test", () => {
  it("is made of what the run was given", () => {
    expect(titleOf({ name: "desk", inputs: { order_id: "1042", dear: true, rows: [1] } })).toBe(
      "order_id 1042, dear true",
    );
    expect(titleOf({ name: "desk", inputs: {} })).toBe("desk");
    expect(titleOf({ name: "desk", inputs: { text: "x".repeat(90) } })).toHaveLength(60);
  });
});
