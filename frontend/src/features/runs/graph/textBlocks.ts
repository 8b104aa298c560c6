/** So many characters are a block at least, where the text has lines. */
const BLOCK = 1000;

/**
 * Cuts a text into blocks at the ends of its lines. When text comes at its end only the last block changes, so that
 * blocks can be kept.
 */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let from = 0;
  for (;;) {
    const end = text.indexOf("\n", from + BLOCK);
    if (end < 0) break;
    blocks.push(text.slice(from, end));
    from = end + 1;
  }
  blocks.push(text.slice(from));
  return blocks;
}
