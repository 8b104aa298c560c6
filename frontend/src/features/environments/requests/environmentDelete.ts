import { client, unwrap } from "@/shared/api/client";

export function environmentDelete(name: string): Promise<unknown> {
  return unwrap(client.DELETE("/api/v1/environments/{name}/", { params: { path: { name } } }));
}
