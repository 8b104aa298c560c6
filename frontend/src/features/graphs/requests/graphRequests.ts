/** What pages ask about graphs. The definition is text here, whatever the server holds it as. */
import { ApiError, client, unwrap } from "@/shared/api/client";
import type { GraphBody, GraphCheck, GraphInput, GraphRow, Page, ToolFilter, VersionRow } from "@/shared/api/shapes";
import type { Draft, DraftKind, SaveBody } from "@/shared/editor/draft";
import { definitionText } from "../document/graph";
import { fetchWithText } from "./definitions";

export interface GraphDraft extends Draft {
  description: string;
  inputs: GraphInput[];
}

const at = (name: string) => ({ params: { path: { name } }, fetch: fetchWithText });

function drafted({ definition, ...rest }: GraphBody): GraphDraft {
  return { ...rest, yaml: definitionText(definition) };
}

/** A refusal because someone saved first carries their definition; it becomes text too. */
function withText(error: unknown): never {
  const current =
    error instanceof ApiError ? (error.problem.current as { definition?: unknown } | undefined) : undefined;
  if (error instanceof ApiError && current && "definition" in current)
    throw new ApiError(error.status, {
      ...error.problem,
      current: { ...error.problem.current!, yaml: definitionText(current.definition) },
    });
  throw error;
}

export function graphList(query: { search?: string; state?: ToolFilter; cursor?: string }): Promise<Page<GraphRow>> {
  return unwrap<Page<GraphRow>>(client.GET("/api/v1/graphs/", { params: { query } }));
}

export async function graphRead(name: string): Promise<GraphDraft> {
  return drafted(await unwrap<GraphBody>(client.GET("/api/v1/graphs/{name}/", at(name))));
}

export async function graphCreate(definition: string): Promise<GraphDraft> {
  return drafted(
    await unwrap<GraphBody>(client.POST("/api/v1/graphs/", { body: { definition }, fetch: fetchWithText })),
  );
}

/** Makes a graph with no step yet, which is no more than a draft. Unnamed, it folds under the saves that follow it. */
export async function graphCreateEmpty(definition: string): Promise<GraphDraft> {
  const body = { definition, draft: true };
  return drafted(await unwrap<GraphBody>(client.POST("/api/v1/graphs/", { body, fetch: fetchWithText })));
}

export async function graphSave(name: string, { yaml, ...rest }: SaveBody): Promise<GraphDraft> {
  try {
    const body = { ...rest, definition: yaml };
    return drafted(await unwrap<GraphBody>(client.PUT("/api/v1/graphs/{name}/", { ...at(name), body })));
  } catch (error) {
    return withText(error);
  }
}

export async function graphValidate(definition: string): Promise<GraphCheck> {
  return unwrap(client.POST("/api/v1/graphs/validate/", { body: { definition } }));
}

const revisionAt = (name: string, revision: number) => ({
  params: { path: { name, revision } },
  fetch: fetchWithText,
});

export const graphKind: DraftKind<GraphDraft> = {
  place: "graphs",
  create: graphCreate,
  save: graphSave,
  remove: (name) => unwrap(client.DELETE("/api/v1/graphs/{name}/", at(name))),
  publish: async (name, revision, despiteTests = false) => {
    const body = { revision, despite_tests: despiteTests };
    return drafted(await unwrap<GraphBody>(client.POST("/api/v1/graphs/{name}/publish/", { ...at(name), body })));
  },
  versions: (name, cursor) =>
    unwrap<Page<VersionRow>>(
      client.GET("/api/v1/graphs/{name}/versions/", { params: { path: { name }, query: { cursor } } }),
    ),
  version: async (name, revision) => {
    const version = await unwrap<{ definition: unknown }>(
      client.GET("/api/v1/graphs/{name}/versions/{revision}/", revisionAt(name, revision)),
    );
    return { yaml: definitionText(version.definition) };
  },
  restore: async (name, revision) =>
    drafted(
      await unwrap<GraphBody>(
        client.POST("/api/v1/graphs/{name}/versions/{revision}/restore/", revisionAt(name, revision)),
      ),
    ),
};
