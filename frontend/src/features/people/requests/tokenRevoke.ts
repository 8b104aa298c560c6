import { client, unwrap } from "@/shared/api/client";

export function tokenRevoke(id: string): Promise<unknown> {
  return unwrap(client.DELETE("/api/v1/tokens/{id}/", { params: { path: { id } } }));
}
