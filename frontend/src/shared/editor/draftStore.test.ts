import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PlacedProblem } from "@/shared/api/shapes";
import type { Draft, DraftKind } from "./draft";
import { type Checked, createDraftEditor } from "./draftStore";

const told = (message: string): PlacedProblem => ({ path: "nodes.a", line: 1, column: 1, message });

function open(warnings: PlacedProblem[] | undefined, validate: (text: string) => Promise<Checked>) {
  const draft: Draft = {
    name: "g",
    yaml: "one",
    revision: 1,
    published_revision: null,
    problems: [],
    warnings,
    updated_at: "",
    updated_by: null,
  };
  const kind = { save: () => new Promise<Draft>(() => {}) } as unknown as DraftKind<Draft>;
  const edit = () => ({ ok: false, why: "layout" }) as const;
  return createDraftEditor({ kind, read: (text) => text, edit, validate, schema: () => null }, draft, false);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells the warnings that the server told, when a document is opened and after each change", async () => {
  const editor = open([told("alone")], (text) => Promise.resolve({ problems: [], warnings: [told(text)], schema: 1 }));
  expect(editor.store.getState().warnings).toEqual([told("alone")]);
  editor.store.getState().type("two", "");
  await vi.advanceTimersByTimeAsync(400);
  expect(editor.store.getState()).toMatchObject({ warnings: [told("two")], checked: true });
});

it("takes a server that tells none for one that has none to tell", async () => {
  const editor = open(undefined, () => Promise.resolve({ problems: [told("bad")], schema: 1 }));
  expect(editor.store.getState().warnings).toEqual([]);
  editor.store.getState().type("two", "");
  await vi.advanceTimersByTimeAsync(400);
  expect(editor.store.getState()).toMatchObject({ warnings: [], problems: [told("bad")] });
});
