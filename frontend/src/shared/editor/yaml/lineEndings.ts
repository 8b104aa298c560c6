/** CodeMirror knows lines, not their endings: this turns a text into its lines and back without a change. */
export type Endings = "lf" | "crlf" | "mixed";

export function endingsOf(text: string): Endings {
  if (!text.includes("\r")) return "lf";
  return /\r(?!\n)|(?:^|[^\r])\n/.test(text) ? "mixed" : "crlf";
}

/** The text as the editor holds it. Mixed endings keep their carriage returns inside the lines. */
export function toEditor(text: string, endings: Endings): string {
  return endings === "crlf" ? text.replaceAll("\r\n", "\n") : text;
}

export function fromEditor(text: string, endings: Endings): string {
  return endings === "crlf" ? text.replaceAll("\n", "\r\n") : text;
}

/** The one stretch in which two texts differ. */
export function difference(old: string, now: string): { from: number; to: number; insert: string } | null {
  if (old === now) return null;
  const most = Math.min(old.length, now.length);
  let from = 0;
  while (from < most && old.charCodeAt(from) === now.charCodeAt(from)) from += 1;
  let back = 0;
  while (back < most - from && old.charCodeAt(old.length - 1 - back) === now.charCodeAt(now.length - 1 - back))
    back += 1;
  return { from, to: old.length - back, insert: now.slice(from, now.length - back) };
}
