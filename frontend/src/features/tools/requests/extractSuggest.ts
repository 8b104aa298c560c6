import { client, unwrap } from "@/shared/api/client";
import type { ExtractFound } from "@/shared/api/shapes";

/** `start` and `end` count characters (code points), as the server does. */
export function extractSuggest(text: string, start: number, end: number): Promise<ExtractFound> {
  return unwrap<ExtractFound>(client.POST("/api/v1/tools/extract/suggest/", { body: { text, start, end } }));
}
