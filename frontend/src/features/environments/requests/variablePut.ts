import { client, unwrap } from "@/shared/api/client";

export function variablePut(name: string, variable: string, value: string): Promise<unknown> {
  return unwrap(
    client.PUT("/api/v1/environments/{name}/variables/{entry}/", {
      params: { path: { name, entry: variable } },
      body: { value },
    }),
  );
}
