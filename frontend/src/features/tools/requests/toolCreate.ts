import { client, unwrap } from "@/shared/api/client";
import type { Tool } from "@/shared/api/shapes";

export function toolCreate(yaml: string): Promise<Tool> {
  return unwrap<Tool>(client.POST("/api/v1/tools/", { body: { yaml } }));
}
