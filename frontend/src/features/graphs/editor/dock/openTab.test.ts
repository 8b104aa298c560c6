import { beforeEach, expect, it, vi } from "vitest";
import { keepTab, tabAtOpening } from "./openTab";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

it("opens the run that the address names", () => {
  expect(tabAtOpening("desk", "r1")).toBe("run");
  expect(tabAtOpening("desk", null)).toBeNull();
});

it("stays closed after it was closed over the same run, and opens for another", () => {
  keepTab("desk", "r1", null);
  expect(tabAtOpening("desk", "r1")).toBeNull();
  expect(tabAtOpening("desk", "r2")).toBe("run");
});

it("keeps the tab that was chosen, of each graph its own", () => {
  keepTab("desk", "r1", "trace");
  expect(tabAtOpening("desk", "r1")).toBe("trace");
  expect(tabAtOpening("other", null)).toBeNull();
  sessionStorage.setItem("workbench.dock.desk", "{");
  expect(tabAtOpening("desk", null)).toBeNull();
});
