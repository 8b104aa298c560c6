import { client, unwrap } from "@/shared/api/client";
import type { ModelName } from "@/shared/api/shapes";

/** The configured models, the default one first. */
export async function modelList(): Promise<ModelName[]> {
  return (await unwrap<{ results: ModelName[] }>(client.GET("/api/v1/models/"))).results;
}
