import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "./en.json";
import zh from "./zh.json";

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, prefix = ""): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === "string" ? [[prefix + key, value] as const] : [...flat(value, `${prefix}${key}.`)],
    ),
  );
}

const texts = { en: flat(en), zh: flat(zh) };
const bare = (key: string) => key.replace(/_(one|other)$/, "");
const names = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1]).sort();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

describe("texts", () => {
  it("are the same in both languages", () => {
    const keys = (language: "en" | "zh") => [...new Set([...texts[language].keys()].map(bare))].sort();
    expect(keys("zh")).toEqual(keys("en"));
    expect([...texts.en, ...texts.zh].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("take the same values in both languages", () => {
    for (const [key, text] of texts.zh) {
      expect(names(text), key).toEqual(names(texts.en.get(key) ?? texts.en.get(key.replace("_other", "_one")) ?? ""));
    }
  });

  it("are all there, and none is left over", () => {
    const known = new Set([...texts.en.keys()].map(bare));
    const code = sources(join(import.meta.dirname, "../..")).join("\n");
    const plain = [...code.matchAll(/["'`]((?:[a-z][a-zA-Z]*)(?:\.[a-zA-Z_0-9]+)+)["'`]/g)].map((found) => found[1]!);
    const called = [...code.matchAll(/\bt\(\s*"([^"]+)"/g)].map((found) => found[1]!);
    expect(called.filter((key) => !known.has(key))).toEqual([]);
    const patterns = [...code.matchAll(/\bt\(`([^`$]*)\$\{[^}]*\}([^`$]*)`/g)].map(
      (found) => [found[1]!, found[2]!] as const,
    );
    const used = (key: string) =>
      plain.includes(key) || patterns.some(([head, tail]) => key.startsWith(head) && key.endsWith(tail));
    expect([...known].filter((key) => !used(key))).toEqual([]);
  });

  it("call a wire a wire, as people see it; an edge is in YAML only", () => {
    const said = [...texts.en].filter(([, text]) => /\bedges?\b/i.test(text.replace("in YAML an edge", "")));
    const chinese = [...texts.zh].filter(([, text]) => /条边/.test(text));
    expect([...said, ...chinese]).toEqual([]);
  });

  it("Chinese is Chinese", () => {
    const latin = [...texts.zh].filter(([key, text]) => !/[\u4e00-\u9fff]/.test(text) && texts.en.get(key) !== text);
    expect(latin).toEqual([]);
  });
});
