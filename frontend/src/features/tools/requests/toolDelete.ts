import { client, unwrap } from "@/shared/api/client";

export function toolDelete(name: string): Promise<unknown> {
  return unwrap(client.DELETE("/api/v1/tools/{name}/", { params: { path: { name } } }));
}
