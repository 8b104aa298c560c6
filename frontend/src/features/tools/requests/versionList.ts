import { client, unwrap } from "@/shared/api/client";
import type { Page, VersionRow } from "@/shared/api/shapes";

export function versionList(name: string, cursor?: string): Promise<Page<VersionRow>> {
  return unwrap<Page<VersionRow>>(
    client.GET("/api/v1/tools/{name}/versions/", { params: { path: { name }, query: { cursor } } }),
  );
}
