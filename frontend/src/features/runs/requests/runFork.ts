import { client, unwrap } from "@/shared/api/client";

/** A new run that goes on from before a visit of this one, with the same version of the graph or with another. */
export function runFork(id: string, visit: string, mode: "run" | "debug", revision?: number): Promise<{ run: string }> {
  return unwrap<{ run: string }>(
    client.POST("/api/v1/runs/{run_id}/fork/", { params: { path: { run_id: id } }, body: { visit, mode, revision } }),
  );
}
