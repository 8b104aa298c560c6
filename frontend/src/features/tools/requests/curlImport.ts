import { client, unwrap } from "@/shared/api/client";
import type { CurlStep } from "@/shared/api/shapes";

export function curlImport(command: string): Promise<CurlStep> {
  return unwrap<CurlStep>(client.POST("/api/v1/tools/import/curl/", { body: { command } }));
}
