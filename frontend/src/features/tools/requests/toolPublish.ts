import { client, unwrap } from "@/shared/api/client";
import type { Tool } from "@/shared/api/shapes";

export function toolPublish(name: string, revision: number, despiteTests = false): Promise<Tool> {
  return unwrap<Tool>(
    client.POST("/api/v1/tools/{name}/publish/", {
      params: { path: { name } },
      body: { revision, despite_tests: despiteTests },
    }),
  );
}
