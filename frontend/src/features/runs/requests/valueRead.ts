import { client, unwrap } from "@/shared/api/client";

/** The whole of a value that an event carries only the beginning of. */
export function valueRead(id: string, key: string): Promise<string> {
  return unwrap<string>(
    client.GET("/api/v1/runs/{run_id}/values/{key}/", {
      params: { path: { run_id: id, key } },
      parseAs: "text",
    }) as never,
  );
}
