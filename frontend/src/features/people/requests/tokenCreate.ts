import { client, unwrap } from "@/shared/api/client";
import type { Role } from "@/shared/api/shapes";

export function tokenCreate(body: { name: string; scope: Role; expires_at?: string }): Promise<{ token: string }> {
  return unwrap<{ token: string }>(client.POST("/api/v1/tokens/", { body }));
}
