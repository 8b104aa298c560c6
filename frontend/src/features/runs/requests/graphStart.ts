import { client, unwrap } from "@/shared/api/client";
import { fromPlain, writeJson } from "@/shared/json/exact";

export interface GraphStart {
  inputs: Record<string, unknown>;
  environment?: string | null;
  revision?: number;
  mode?: "run" | "debug";
  breakpoints?: { node: string; condition?: string; on?: "enter" | "leave" }[];
}

export function graphStart(name: string, start: GraphStart): Promise<{ run: string }> {
  return unwrap<{ run: string }>(
    client.POST("/api/v1/graphs/{name}/run/", {
      params: { path: { name } },
      body: start as never,
      bodySerializer: (body) => writeJson(fromPlain(body)),
    }),
  );
}
