import { client, unwrap } from "@/shared/api/client";

export function runCancel(id: string): Promise<unknown> {
  return unwrap(client.POST("/api/v1/runs/{id}/command/", { params: { path: { id } }, body: { command: "cancel" } }));
}
