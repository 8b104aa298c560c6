import { client, unwrap } from "@/shared/api/client";

export function variableDelete(name: string, variable: string): Promise<unknown> {
  return unwrap(
    client.DELETE("/api/v1/environments/{name}/variables/{variable}/", { params: { path: { name, variable } } }),
  );
}
