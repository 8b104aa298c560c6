import { client, unwrap } from "@/shared/api/client";
import type { ToolCheck } from "@/shared/api/shapes";

export function toolValidate(yaml: string): Promise<ToolCheck> {
  return unwrap<ToolCheck>(client.POST("/api/v1/tools/validate/", { body: { yaml } }));
}
