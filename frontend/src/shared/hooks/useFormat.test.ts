import type { TFunction } from "i18next";
import { expect, it } from "vitest";
import { formatIn } from "./useFormat";

const { duration } = formatIn("en", ((key: string) => key) as unknown as TFunction);

it.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1 s"],
  [59_900, "59.9 s"],
  [59_980, "1 min 0 s"],
  [119_600, "2 min 0 s"],
  [130_000, "2 min 10 s"],
  [3_599_400, "59 min 59 s"],
  [3_599_600, "1 h 0 min"],
  [10_528_000, "2 h 55 min"],
  [86_400_000, "1 d 0 h"],
  [200_000_000, "2 d 7 h"],
])("says two units at most, and never sixty seconds or a thousand milliseconds: %d", (ms, said) => {
  expect(duration(ms)).toBe(said);
});

it.each([
  [62, "62 毫秒"],
  [3_700, "3.7 秒"],
  [62_000, "1 分 2 秒"],
])("says %d ms in Chinese", (ms, said) => {
  expect(formatIn("zh-CN", ((key: string) => key) as unknown as TFunction).duration(ms)).toBe(said);
});
