import { expect, it } from "vitest";
import type { VersionRow } from "@/shared/api/shapes";
import { savesOf } from "./savesOf";

const version = (revision: number, minute: number, more: Partial<VersionRow> = {}): VersionRow => ({
  revision,
  note: "",
  created_at: new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString(),
  created_by: "ada",
  published: false,
  problem_count: 0,
  ...more,
});
const shape = (rows: VersionRow[]) =>
  savesOf(rows).map(({ head, rest }) => [head.revision, ...rest.map(({ revision }) => revision)]);

it("folds the saves of one sitting under the newest", () => {
  expect(shape([version(4, 12), version(3, 11), version(2, 3), version(1, 1)])).toEqual([[4, 3, 2], [1]]);
  expect(shape([])).toEqual([]);
});

it("leaves named and published ones alone, and other people's", () => {
  const rows = [
    version(7, 9),
    version(6, 8, { note: "Before the talk" }),
    version(5, 7),
    version(4, 6, { published: true }),
    version(3, 5),
    version(2, 4, { created_by: "bob" }),
    version(1, 3),
  ];
  expect(shape(rows)).toEqual([[7], [6], [5], [4], [3], [2], [1]]);
});
