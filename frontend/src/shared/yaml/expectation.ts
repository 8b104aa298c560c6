/** Edits of a document, and what it must mean after each. */
import { type Path, type Plain, plainOfValue, plainWith, type Raw, type Value } from "./plain";

export type Edit =
  /** Sets a field or an item. A new field stands behind those of `order` that come before it. */
  | { op: "set"; path: Path; value: Value; order?: readonly string[] }
  /** Sets several scalars that exist. `source` changes the way it is written, where that gives the same. */
  | { op: "texts"; changes: { path: Path; value: string | Raw; source?: (source: string) => string }[] }
  /** Adds fields to a map, which is made when it isn't there. */
  | { op: "add"; path: Path; entries: [string, Value][]; order?: readonly string[] }
  /** Takes several things out, none of which is inside another. */
  | { op: "removeAll"; paths: Path[] }
  | { op: "remove"; path: Path }
  | { op: "insert"; path: Path; index: number; value: Value }
  /** Adds items to the end of a list that has some. */
  | { op: "extend"; path: Path; values: Value[] }
  | { op: "move"; path: Path; from: number; to: number }
  | { op: "rename"; path: Path; key: string };

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const copy = [...list];
  copy.splice(to, 0, ...copy.splice(from, 1));
  return copy;
}

/** Paths in an order in which one can be removed after the other: the last item of a list first. */
export function backwards(paths: readonly Path[]): Path[] {
  const rank = (path: Path) => (typeof path.at(-1) === "number" ? (path.at(-1) as number) : -1);
  return [...paths].sort((a, b) => rank(b) - rank(a));
}

/** What the document must mean after an edit. */
export function expectation(before: Plain, edit: Edit, at?: number): Plain {
  switch (edit.op) {
    case "set":
      return plainWith(before, edit.path, () => plainOfValue(edit.value), at);
    case "texts":
      return edit.changes.reduce((plain, { path, value }) => plainWith(plain, path, () => plainOfValue(value)), before);
    case "add":
      return plainWith(
        before,
        edit.path,
        (old) => ({
          map: [
            ...("map" in old ? old.map : []),
            ...edit.entries.map(([key, value]): [string, Plain] => [key, plainOfValue(value)]),
          ],
        }),
        at,
      );
    case "removeAll":
      return backwards(edit.paths).reduce((plain, path) => plainWith(plain, path, () => null), before);
    case "remove":
      return plainWith(before, edit.path, () => null);
    case "insert":
      return plainWith(before, edit.path, (old) => ({
        seq: "seq" in old ? old.seq.toSpliced(edit.index, 0, plainOfValue(edit.value)) : [plainOfValue(edit.value)],
      }));
    case "extend":
      return plainWith(before, edit.path, (old) => ({
        seq: [...("seq" in old ? old.seq : []), ...edit.values.map(plainOfValue)],
      }));
    case "move":
      return plainWith(before, edit.path, (old) => ("seq" in old ? { seq: moved(old.seq, edit.from, edit.to) } : old));
    case "rename": {
      const key = edit.path.at(-1);
      return plainWith(before, edit.path.slice(0, -1), (old) =>
        "map" in old ? { map: old.map.map(([name, value]) => [name === key ? edit.key : name, value]) } : old,
      );
    }
  }
}
