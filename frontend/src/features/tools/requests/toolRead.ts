import { client, unwrap } from "@/shared/api/client";
import type { Tool } from "@/shared/api/shapes";

export function toolRead(name: string): Promise<Tool> {
  return unwrap<Tool>(client.GET("/api/v1/tools/{name}/", { params: { path: { name } } }));
}
