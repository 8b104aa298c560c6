import { client, unwrap } from "@/shared/api/client";
import type { AuditEntry, Page } from "@/shared/api/shapes";

export function auditList(query: { actor?: string; action?: string; cursor?: string }): Promise<Page<AuditEntry>> {
  return unwrap<Page<AuditEntry>>(client.GET("/api/v1/audit/", { params: { query } }));
}
