/**
 * Edits of a YAML text by spans. An edit touches the lines of what it changes and no byte besides; afterwards the text
 * is read again, and if it doesn't mean exactly what was asked for, the edit is refused.
 */
import { Editor, type Splice } from "./editor";
import { backwards, type Edit, expectation } from "./expectation";
import { NOTHING, plainOf, samePlain } from "./plain";
import { sourceOf } from "./source";

export type EditResult = { ok: true; text: string } | { ok: false; why: "unreadable" | "layout" };

const REFUSED: EditResult = { ok: false, why: "layout" };

function spliced(text: string, splices: Splice[]): string {
  const sorted = [...splices].sort((a, b) => b.start - a.start || b.end - a.end);
  return sorted.reduce((out, { start, end, text: put }) => out.slice(0, start) + put + out.slice(end), text);
}

/** Makes one edit. */
export function applyEdit(text: string, edit: Edit): EditResult {
  const source = sourceOf(text);
  if (source.trouble()) return { ok: false, why: "unreadable" };
  const editor = new Editor(source);
  const before = plainOf(source.doc.contents);
  const at = edit.op === "set" || edit.op === "add" ? editor.placeOf(edit.path, edit.order ?? []) : undefined;
  const wanted = expectation(before, edit, at);
  if (samePlain(before, wanted)) return { ok: true, text };
  for (const splices of editor.candidates(edit)) {
    const changed = spliced(text, splices);
    const again = sourceOf(changed);
    if (!again.trouble() && samePlain(plainOf(again.doc.contents), wanted)) return { ok: true, text: changed };
  }
  if (edit.op === "removeAll" && edit.paths.length > 1)
    return applyEdits(
      text,
      backwards(edit.paths).map((path): Edit => ({ op: "remove", path })),
    );
  return REFUSED;
}

/** Makes edits one after the other: all of them, or none. */
export function applyEdits(text: string, edits: readonly Edit[]): EditResult {
  let now = text;
  for (const edit of edits) {
    const result = applyEdit(now, edit);
    if (!result.ok) return result;
    now = result.text;
  }
  return { ok: true, text: now };
}

export { type Edit, NOTHING };
