import { client, unwrap } from "@/shared/api/client";

export function secretDelete(name: string, secret: string): Promise<unknown> {
  return unwrap(
    client.DELETE("/api/v1/environments/{name}/secrets/{entry}/", { params: { path: { name, entry: secret } } }),
  );
}
