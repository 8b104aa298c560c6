/** Places of a selection in a text. */

/** A field shows every line break as one sign; gives the place in the text as it was sent. */
export function placeInText(text: string, place: number): number {
  let at = 0;
  for (let shown = 0; shown < place && at < text.length; shown += 1) at += text.startsWith("\r\n", at) ? 2 : 1;
  return at;
}

/** How many characters there are up to a place; JavaScript counts some of them twice. */
export function charactersTo(text: string, place: number): number {
  let count = 0;
  for (const sign of text.slice(0, place)) count += sign.length > 0 ? 1 : 0;
  return count;
}

/** What a pattern's value may be called: the last word of the label before it. */
export function labelIn(extract: string): string {
  const before = extract.split("(")[0]!.replace(/\\[a-z]\+?|\[[^\]]*\][+*?]?|<\/?[A-Za-z0-9]+>/g, " ");
  const words = before.match(/[\p{L}][\p{L}\p{N}_-]{2,}|[^\p{ASCII}\P{L}]{2,}/gu) ?? [];
  return (words.at(-1) ?? "value").toLowerCase();
}
