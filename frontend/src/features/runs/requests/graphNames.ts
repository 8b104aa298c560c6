import { client, unwrap } from "@/shared/api/client";

/** Names of graphs that a search finds. */
export async function graphNames(search: string): Promise<string[]> {
  const page = await unwrap<{ results: { name: string }[] }>(
    client.GET("/api/v1/graphs/", { params: { query: { search } } }),
  );
  return page.results.map(({ name }) => name);
}
