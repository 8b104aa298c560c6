/** Whether a card would show the same: its entry of the document by value, everything else by identity. */
export function sameEntry<P extends object>(before: Readonly<P>, after: Readonly<P>): boolean {
  const names = Object.keys(after) as (keyof P)[];
  return names.every((name) => {
    const [left, right] = [before[name], after[name]];
    if (left === right) return true;
    const values = typeof left === "object" && typeof right === "object";
    return values && JSON.stringify(left) === JSON.stringify(right);
  });
}
