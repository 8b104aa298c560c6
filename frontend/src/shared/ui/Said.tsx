/** A sentence of the server's: what stands between backticks is shown as code. Text stays text. */
export function Said({ text }: { text: string }) {
  const parts = text.split(/`([^`\n]+)`/);
  return parts.map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
}
