import { client, unwrap } from "@/shared/api/client";
import type { Environment } from "@/shared/api/shapes";

export function environmentRead(name: string): Promise<Environment> {
  return unwrap<Environment>(client.GET("/api/v1/environments/{name}/", { params: { path: { name } } }));
}
