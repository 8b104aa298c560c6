import { client, unwrap } from "@/shared/api/client";
import type { ExtractFound } from "@/shared/api/shapes";

export function extractTry(text: string, extract: string): Promise<ExtractFound> {
  return unwrap<ExtractFound>(client.POST("/api/v1/tools/extract/try/", { body: { text, extract } }));
}
