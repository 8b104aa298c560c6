/** A free name for a variable that takes the value at a path: its last key, as a name may be written. */
export function variableNamed(path: string, taken: readonly string[]): string {
  const keys = path.match(/[^.[\]"]+/g) ?? [];
  const key = keys.findLast((one) => !/^\d*$/.test(one)) ?? "value";
  const plain = key.replace(/[^\p{L}\p{N}_]+/gu, "_").replace(/^_+|_+$/g, "") || "value";
  const base = /^\d/.test(plain) ? `value_${plain}` : plain;
  let name = base;
  for (let n = 2; taken.includes(name); n += 1) name = `${base}_${n}`;
  return name;
}
