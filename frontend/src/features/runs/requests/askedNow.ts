import { client, unwrap } from "@/shared/api/client";
import { parseExact } from "@/shared/json/exact";

export interface AskedNow {
  input: unknown;
  asked: unknown;
}

/** What a visit that still runs was called with and has asked of models: the journal tells it when it ends. */
export async function askedNow(run: string, visit: string): Promise<AskedNow> {
  const text = await unwrap<string>(
    client.GET("/api/v1/runs/{run_id}/asked/", {
      params: { path: { run_id: run }, query: { visit } },
      parseAs: "text",
    }) as never,
  );
  return parseExact(text) as AskedNow;
}
