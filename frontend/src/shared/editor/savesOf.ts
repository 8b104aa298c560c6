import type { VersionRow } from "@/shared/api/shapes";
import { foldAlike, type Folded, oneSitting } from "@/shared/fold";

/** Versions, newest first, with what saved itself in one sitting folded; named and published ones stand alone. */
export function savesOf(versions: readonly VersionRow[]): Folded<VersionRow>[] {
  const plain = (version: VersionRow) => !version.note && !version.published;
  return foldAlike(
    versions,
    (head, row) =>
      plain(head) && plain(row) && head.created_by === row.created_by && oneSitting(head.created_at, row.created_at),
  );
}
