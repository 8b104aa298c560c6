/** A document that is written in the browser and saves itself as a draft: a tool or a graph. */
import type { Page, PlacedProblem, VersionRow } from "@/shared/api/shapes";

export interface Draft {
  name: string;
  yaml: string;
  revision: number;
  published_revision: number | null;
  problems: PlacedProblem[];
  /** What is most likely not meant; only graphs are told it. */
  warnings?: PlacedProblem[];
  updated_at: string;
  updated_by: string | null;
}

export interface SaveBody {
  yaml: string;
  base_revision: number;
  note?: string;
}

/** What one kind of document asks of the server. */
export interface DraftKind<D extends Draft = Draft> {
  /** The key of its queries, which is its place too. */
  place: "tools" | "graphs";
  create: (yaml: string) => Promise<D>;
  save: (name: string, body: SaveBody) => Promise<D>;
  remove: (name: string) => Promise<unknown>;
  /** `despiteTests` publishes a version on which saved tests fail. */
  publish: (name: string, revision: number, despiteTests?: boolean) => Promise<D>;
  versions: (name: string, cursor?: string) => Promise<Page<VersionRow>>;
  version: (name: string, revision: number) => Promise<{ yaml: string }>;
  restore: (name: string, revision: number) => Promise<D>;
}
