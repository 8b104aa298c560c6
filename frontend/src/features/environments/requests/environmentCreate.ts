import { client, unwrap } from "@/shared/api/client";
import type { Environment } from "@/shared/api/shapes";

export function environmentCreate(body: { name: string; description?: string }): Promise<Environment> {
  return unwrap<Environment>(client.POST("/api/v1/environments/", { body }));
}
