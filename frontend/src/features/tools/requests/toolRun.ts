import { client, unwrap } from "@/shared/api/client";

export interface RunStart {
  params: Record<string, unknown>;
  environment?: string;
  revision?: number;
  until_step?: number;
}

export function toolRun(name: string, body: RunStart): Promise<{ run: string }> {
  return unwrap<{ run: string }>(client.POST("/api/v1/tools/{name}/run/", { params: { path: { name } }, body }));
}
