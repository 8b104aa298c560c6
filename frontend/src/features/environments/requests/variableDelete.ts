import { client, unwrap } from "@/shared/api/client";

export function variableDelete(name: string, variable: string): Promise<unknown> {
  return unwrap(
    client.DELETE("/api/v1/environments/{name}/variables/{entry}/", { params: { path: { name, entry: variable } } }),
  );
}
