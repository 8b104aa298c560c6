import { diffArrays } from "diff";

/** Two texts and what both came from, line by line: changes of both sides stand, where they don't touch each other. */
export function mergeTexts(base: string, mine: string, theirs: string): { text: string; clashes: number } {
  const eol = /\r\n/.test(mine) ? "\r\n" : "\n";
  const split = (text: string) => text.split(/\r?\n/);
  const changesOf = (now: string[], from: string[]) => {
    const changes: { start: number; end: number; put: string[] }[] = [];
    let at = 0;
    let open: { start: number; end: number; put: string[] } | null = null;
    for (const part of diffArrays(from, now)) {
      if (!part.added && !part.removed) {
        at += part.value.length;
        open = null;
        continue;
      }
      if (!open) changes.push((open = { start: at, end: at, put: [] }));
      if (part.removed) open.end = at += part.value.length;
      else open.put.push(...part.value);
    }
    return changes;
  };
  const lines = split(base);
  const ours = changesOf(split(mine), lines);
  const others = changesOf(split(theirs), lines);
  const touches = (a: (typeof ours)[number], b: (typeof ours)[number]) =>
    (a.start < b.end && b.start < a.end) ||
    a.start === b.start ||
    (a.start === a.end && a.start > b.start && a.start < b.end);
  const same = (a: (typeof ours)[number], b: (typeof ours)[number]) =>
    a.start === b.start && a.end === b.end && a.put.join("\n") === b.put.join("\n");
  const clashing = others.filter((other) => ours.some((one) => touches(one, other) && !same(one, other)));
  const taken = others.filter((other) => !ours.some((one) => touches(one, other)));
  const all = [...ours, ...taken].sort((a, b) => b.start - a.start || b.end - a.end);
  for (const { start, end, put } of all) lines.splice(start, end - start, ...put);
  return { text: lines.join(eol), clashes: clashing.length };
}
