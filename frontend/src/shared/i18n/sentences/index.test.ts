import { expect, it, vi } from "vitest";
import { pickSentences, saying } from ".";

it("loads the catalogue with the first sentence, for readers of Chinese only", async () => {
  const text = "There is no tool 'a'.";
  expect(saying()(text)).toBe(text);
  pickSentences("zh");
  const before = saying();
  expect(before("")).toBe("");
  expect(before(text)).toBe(text);
  await vi.waitFor(() => expect(saying()).not.toBe(before));
  expect(saying()(text)).toBe("没有名为 'a' 的工具。");
  pickSentences("en");
  expect(saying()(text)).toBe(text);
  pickSentences("zh");
  expect(saying()(text)).toBe("没有名为 'a' 的工具。");
});
