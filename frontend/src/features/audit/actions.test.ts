import { expect, it } from "vitest";
import type { AuditEntry } from "@/shared/api/shapes";
import { ACTIONS, entriesOf, knownAction } from "./actions";
import en from "@/shared/i18n/en.json";

const entry = (id: number, minute: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString(),
  actor: "ada",
  action: "tool.save",
  target: "weather",
  detail: { revision: id },
  ...more,
});
const shape = (rows: AuditEntry[]) => entriesOf(rows).map(({ head, rest }) => [head.id, ...rest.map(({ id }) => id)]);

it("folds one person's saves of one document, and nothing else", () => {
  expect(shape([entry(5, 11), entry(4, 10), entry(3, 2), entry(2, 0)])).toEqual([[5, 4, 3], [2]]);
  expect(
    shape([
      entry(6, 5),
      entry(5, 4, { target: "orders" }),
      entry(4, 3),
      entry(3, 3, { actor: "bob" }),
      entry(2, 3, { action: "session.end", actor: "bob" }),
      entry(1, 2, { action: "session.end", actor: "bob" }),
    ]),
  ).toEqual([[6], [5], [4], [3], [2], [1]]);
});

it("has words for every action, and shows the others as they are", () => {
  const words = en.audit.did as Record<string, Record<string, string>>;
  for (const action of ACTIONS) {
    const [noun, verb] = action.split(".") as [string, string];
    expect(words[noun]?.[verb], action).toBeTruthy();
  }
  expect(knownAction("tool.save")).toBe("tool.save");
  expect(knownAction("moon.landing")).toBeUndefined();
});
