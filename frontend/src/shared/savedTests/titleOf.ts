const MOST = 60;

/** A first title for the test of a run: what it was given, as far as that is short. */
export function titleOf(run: { name: string; inputs: Record<string, unknown> }): string {
  const parts = Object.entries(run.inputs)
    .filter(([, value]) => value !== null && value !== "" && typeof value !== "object")
    .map(([name, value]) => `${name} ${String(value)}`);
  const title = parts.join(", ") || run.name;
  return title.length > MOST ? `${title.slice(0, MOST - 1)}…` : title;
}
