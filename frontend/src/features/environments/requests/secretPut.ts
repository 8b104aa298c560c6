import { client, unwrap } from "@/shared/api/client";

export function secretPut(name: string, secret: string, body: { value: string; hosts: string[] }): Promise<unknown> {
  return unwrap(
    client.PUT("/api/v1/environments/{name}/secrets/{entry}/", { params: { path: { name, entry: secret } }, body }),
  );
}
