import { client, unwrap } from "@/shared/api/client";
import type { Tool } from "@/shared/api/shapes";

export function toolSave(name: string, body: { yaml: string; base_revision: number; note?: string }): Promise<Tool> {
  return unwrap<Tool>(client.PUT("/api/v1/tools/{name}/", { params: { path: { name } }, body }));
}
