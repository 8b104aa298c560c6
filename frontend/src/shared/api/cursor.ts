/** Takes the cursor out of a page's `next` address. */
export function cursorOf(next: string | null | undefined): string | undefined {
  if (!next) return undefined;
  return new URL(next, "http://pages.invalid").searchParams.get("cursor") ?? undefined;
}
