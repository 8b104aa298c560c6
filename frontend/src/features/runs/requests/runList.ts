import { client, unwrap } from "@/shared/api/client";
import type { Page, RunRow } from "@/shared/api/shapes";

export interface RunFilters {
  kind?: "tool" | "graph";
  name?: string;
  status?: string;
  user?: string;
  from?: string;
  to?: string;
  cursor?: string;
  limit?: number;
  /** Whether rows tell the beginning of their inputs. */
  inputs_short?: boolean;
}

export function runList(query: RunFilters): Promise<Page<RunRow>> {
  return unwrap<Page<RunRow>>(client.GET("/api/v1/runs/", { params: { query } }));
}
