import { client, unwrap } from "@/shared/api/client";

/** A new run of the same, from where this one failed. */
export function runRetry(id: string): Promise<{ run: string }> {
  return unwrap<{ run: string }>(client.POST("/api/v1/runs/{run_id}/retry/", { params: { path: { run_id: id } } }));
}
