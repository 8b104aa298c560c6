import { client, unwrap } from "@/shared/api/client";

export function environmentUpdate(name: string, description: string): Promise<unknown> {
  return unwrap(client.PATCH("/api/v1/environments/{name}/", { params: { path: { name } }, body: { description } }));
}
