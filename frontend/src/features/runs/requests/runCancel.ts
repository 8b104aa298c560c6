import { client, unwrap } from "@/shared/api/client";

export function runCancel(id: string): Promise<unknown> {
  return unwrap(
    client.POST("/api/v1/runs/{run_id}/command/", { params: { path: { run_id: id } }, body: { command: "cancel" } }),
  );
}
