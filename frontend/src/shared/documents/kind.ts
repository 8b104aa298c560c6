import type { Page, ToolFilter, ToolRow } from "@/shared/api/shapes";

/** One line of a list. */
export type DocumentRow = Pick<ToolRow, "name" | "desc" | "state" | "problem_count" | "last_run" | "recent_runs">;

type Examples<Kind extends string, Id extends string> = Record<
  Id,
  { title: `${Kind}.example.${Id}.title`; text: `${Kind}.example.${Id}.text` }
>;
type ExampleWords =
  | Examples<"tools", "order" | "fallback" | "page">["order" | "fallback" | "page"]
  | Examples<"graphs", "approval" | "join" | "chat">["approval" | "join" | "chat"];

/** What tools and graphs differ in, where they are listed and made. */
export interface DocumentKind {
  kind: "tools" | "graphs";
  list: (query: { search?: string; state?: ToolFilter; cursor?: string }) => Promise<Page<DocumentRow>>;
  /** Makes a document, from its text or from a name. */
  create: (from: string | { name: string; desc: string; command?: string }) => Promise<{ name: string }>;
  name: RegExp;
  placeholder: string;
  /** The files that an import takes. */
  accept: string;
  /** A new one can be made from a cURL command. */
  fromCommand?: boolean;
  examples: ({ yaml: string } & ExampleWords)[];
}
