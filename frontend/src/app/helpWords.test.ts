import { describe, expect, it } from "vitest";
import en from "@/shared/i18n/en.json";
import zh from "@/shared/i18n/zh.json";
import { type Word, WORDS, wordsWith } from "./helpWords";

const all = Object.values(WORDS).flat();

describe("the words of the help", () => {
  it("are all shown, each once", () => {
    expect([...all].sort()).toEqual(Object.keys(en.help.word).sort());
    expect(new Set(all).size).toBe(all.length);
  });

  it("are found by a text of theirs, in both languages", () => {
    const find = (texts: typeof en | typeof zh, wanted: string) =>
      wordsWith<Word>(all, wanted, (word) => `${texts.help.word[word].name} ${texts.help.word[word].text}`);
    expect(find(en, " NETWORK ")).toEqual(["savedTest"]);
    expect(find(zh, "断点")).toEqual(["breakpoint"]);
    expect(find(en, "")).toEqual(all);
    expect(find(en, "no such thing")).toEqual([]);
  });
});
