import { client, unwrap } from "@/shared/api/client";
import type { Page, ToolRow } from "@/shared/api/shapes";

export function toolList(query: { search?: string; state?: string; cursor?: string }): Promise<Page<ToolRow>> {
  return unwrap<Page<ToolRow>>(client.GET("/api/v1/tools/", { params: { query } }));
}
