import { createInstance } from "i18next";
import { expect, it } from "vitest";
import en from "@/shared/i18n/en.json";
import zh from "@/shared/i18n/zh.json";
import { happened } from "./happened";

const resources = { en: { translation: en }, zh: { translation: zh } };

async function sayIn(lng: string) {
  const i18n = createInstance();
  await i18n.init({ lng, resources, interpolation: { escapeValue: false } });
  return (type: string, node: string | null) => happened({ type, node }, i18n.t);
}

it("says an event in words, with the step's name", async () => {
  const say = await sayIn("en");
  expect(say("node.waiting", "review")).toBe("review waits");
  expect(say("run.failed", null)).toBe("The run failed");
  expect((await sayIn("zh"))("run.failed", null)).toBe("运行失败");
});

it("keeps the name of an event that it has no words for", async () => {
  expect((await sayIn("en"))("node.sang", "review")).toBe("node.sang review");
});
