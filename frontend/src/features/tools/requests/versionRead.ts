import { client, unwrap } from "@/shared/api/client";
import type { Version } from "@/shared/api/shapes";

export function versionRead(name: string, revision: number): Promise<Version> {
  return unwrap<Version>(
    client.GET("/api/v1/tools/{name}/versions/{revision}/", { params: { path: { name, revision } } }),
  );
}
