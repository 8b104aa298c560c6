/** The token of a set-up link that somebody pastes, whole or the token alone; null where there is none. */
export function tokenIn(text: string): string | null {
  const given = text.trim();
  const inLink = /[?&]token=([A-Za-z0-9_-]+)/.exec(given)?.[1];
  return inLink ?? (/^[A-Za-z0-9_-]{20,}$/.test(given) ? given : null);
}
