import { client, unwrap } from "@/shared/api/client";
import type { EnvironmentRow, Page } from "@/shared/api/shapes";

export function environmentList(cursor?: string): Promise<Page<EnvironmentRow>> {
  return unwrap<Page<EnvironmentRow>>(client.GET("/api/v1/environments/", { params: { query: { cursor } } }));
}
