import { client, unwrap } from "@/shared/api/client";

export function tokenRevoke(id: number): Promise<unknown> {
  return unwrap(client.DELETE("/api/v1/tokens/{token_id}/", { params: { path: { token_id: id } } }));
}
