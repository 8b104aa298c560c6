import { client, unwrap } from "@/shared/api/client";
import { graphOf, type RunGraph } from "../graph/definition";

/** The version of a graph that a run ran. */
export async function graphVersion(name: string, revision: number): Promise<RunGraph> {
  const version = await unwrap<{ definition: unknown }>(
    client.GET("/api/v1/graphs/{name}/versions/{revision}/", { params: { path: { name, revision } } }) as never,
  );
  const { definition } = version;
  if (typeof definition !== "string") return graphOf(definition);
  const { parse } = await import("yaml");
  return graphOf(parse(definition), definition);
}
