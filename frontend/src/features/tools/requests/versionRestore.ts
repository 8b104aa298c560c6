import { client, unwrap } from "@/shared/api/client";
import type { Tool } from "@/shared/api/shapes";

export function versionRestore(name: string, revision: number): Promise<Tool> {
  return unwrap<Tool>(
    client.POST("/api/v1/tools/{name}/versions/{revision}/restore/", { params: { path: { name, revision } } }),
  );
}
