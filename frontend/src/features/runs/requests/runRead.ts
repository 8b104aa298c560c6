import { client, unwrap } from "@/shared/api/client";
import type { Run } from "@/shared/api/shapes";
import { parseExact } from "@/shared/json/exact";

export async function runRead(id: string): Promise<Run> {
  const text = await unwrap<string>(
    client.GET("/api/v1/runs/{run_id}/", { params: { path: { run_id: id } }, parseAs: "text" }) as never,
  );
  return parseExact(text) as Run;
}
