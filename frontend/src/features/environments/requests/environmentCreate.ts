import { client, unwrap } from "@/shared/api/client";
import type { EnvironmentRow } from "@/shared/api/shapes";

export function environmentCreate(body: { name: string; description?: string }): Promise<EnvironmentRow> {
  return unwrap<EnvironmentRow>(client.POST("/api/v1/environments/", { body }));
}
