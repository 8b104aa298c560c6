/** What pages ask about saved tests, of tools and graphs alike. */
import { client, unwrap } from "@/shared/api/client";
import type { SavedTest } from "@/shared/api/shapes";

export type Place = "tools" | "graphs";

interface Listed {
  results: SavedTest[];
}

export const testsKey = (place: Place, name: string) => [place, "tests", name];

const of = (name: string) => ({ params: { path: { name } } });
const one = (name: string, id: string) => ({ params: { path: { name, test_id: id } } });

export async function savedTestList(place: Place, name: string): Promise<SavedTest[]> {
  const path = place === "tools" ? "/api/v1/tools/{name}/tests/" : "/api/v1/graphs/{name}/tests/";
  return (await unwrap<Listed>(client.GET(path, of(name)))).results;
}

export function savedTestCreate(place: Place, name: string, run: string, title: string): Promise<SavedTest> {
  const path = place === "tools" ? "/api/v1/tools/{name}/tests/" : "/api/v1/graphs/{name}/tests/";
  return unwrap<SavedTest>(client.POST(path, { ...of(name), body: { run, title } }));
}

/** Replays one test, or all of them, on the newest revision. */
export async function savedTestsRun(place: Place, name: string, id?: string): Promise<SavedTest[]> {
  const path = place === "tools" ? "/api/v1/tools/{name}/tests/run/" : "/api/v1/graphs/{name}/tests/run/";
  return (await unwrap<Listed>(client.POST(path, { ...of(name), body: { id } }))).results;
}

export function savedTestRename(place: Place, name: string, id: string, title: string): Promise<SavedTest> {
  const path = place === "tools" ? "/api/v1/tools/{name}/tests/{test_id}/" : "/api/v1/graphs/{name}/tests/{test_id}/";
  return unwrap<SavedTest>(client.PATCH(path, { ...one(name, id), body: { title } }));
}

export function savedTestDelete(place: Place, name: string, id: string): Promise<unknown> {
  const path = place === "tools" ? "/api/v1/tools/{name}/tests/{test_id}/" : "/api/v1/graphs/{name}/tests/{test_id}/";
  return unwrap(client.DELETE(path, one(name, id)));
}
