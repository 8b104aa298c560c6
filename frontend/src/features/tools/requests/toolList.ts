import { client, unwrap } from "@/shared/api/client";
import type { Page, ToolRow, ToolFilter } from "@/shared/api/shapes";

export function toolList(query: { search?: string; state?: ToolFilter; cursor?: string }): Promise<Page<ToolRow>> {
  return unwrap<Page<ToolRow>>(client.GET("/api/v1/tools/", { params: { query } }));
}
