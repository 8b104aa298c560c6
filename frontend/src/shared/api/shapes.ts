/** The shapes the pages work with, by name. */
export type Role = "viewer" | "operator" | "author" | "admin";

export type Permission =
  | "tools.read"
  | "tools.write"
  | "tools.publish"
  | "runs.read"
  | "runs.start"
  | "environments.names"
  | "environments.write"
  | "users.write"
  | "settings.write"
  | "audit.read";

export interface Session {
  username: string;
  email: string;
  role: Role;
  language: string;
  may: Permission[];
}

export interface SetUpCheck {
  kind: "first_admin" | "invitation" | "reset";
  username: string | null;
  role: Role;
}

export interface ToolProblem {
  path: string;
  line: number;
  column: number;
  message: string;
}

export type RunStatus =
  | "queued"
  | "running"
  | "waiting"
  | "paused"
  | "stopping"
  | "finished"
  | "failed"
  | "cancelled";

export interface RecentRun {
  id: string;
  status: RunStatus;
  duration_ms: number | null;
}

export type ToolState = "draft" | "published" | "changed";

export interface ToolRow {
  name: string;
  desc: string;
  state: ToolState;
  revision: number;
  published_revision: number | null;
  problem_count: number;
  last_run: { id: string; status: RunStatus; created_at: string; duration_ms: number | null } | null;
  recent_runs: RecentRun[];
  updated_at: string;
  updated_by: string | null;
}

export interface ToolParam {
  name: string;
  type: "string" | "number" | "integer" | "boolean";
  required: boolean;
  description: string;
  default?: unknown;
}

export interface Tool {
  name: string;
  desc: string;
  yaml: string;
  revision: number;
  published_revision: number | null;
  problems: ToolProblem[];
  function_schema: unknown;
  params: ToolParam[];
  env: string[];
  updated_at: string;
  updated_by: string | null;
}

export interface ToolCheck {
  problems: ToolProblem[];
  function_schema: unknown;
}

export interface VersionRow {
  revision: number;
  created_at: string;
  created_by: string | null;
  note: string;
  published: boolean;
  problem_count: number;
}

export interface Version extends VersionRow {
  yaml: string;
}

export interface SaveConflict {
  current: { revision: number; yaml: string; updated_at: string; updated_by: string | null };
  yours: { base_revision: number; yaml: string };
}

export interface RunError {
  kind: string;
  message: string;
  step: number | null;
  node?: string | null;
}

export interface RunRow {
  id: string;
  kind: "tool" | "graph";
  name: string;
  revision: number | null;
  status: RunStatus;
  mode: string;
  environment: string | null;
  user: string | null;
  parent: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  duration_ms: number | null;
  error: RunError | null;
}

export interface Run extends RunRow {
  inputs: unknown;
  output: unknown;
  warnings: string[];
  last_seq: number;
}

export interface RunEvent {
  seq: number;
  at: string;
  type: string;
  node: string | null;
  visit: string | null;
  path: unknown[];
  data: Record<string, unknown>;
}

export interface EnvironmentRow {
  name: string;
  description: string;
  variables: number;
  secrets: number;
}

export interface EnvironmentVariable {
  name: string;
  value?: string;
  updated_at: string;
  updated_by: string | null;
}

export interface EnvironmentSecret {
  name: string;
  hosts: string[];
  updated_at: string;
  updated_by: string | null;
  used_by: string[];
}

export interface Environment {
  name: string;
  description: string;
  variables: EnvironmentVariable[];
  secrets: EnvironmentSecret[];
}

export interface User {
  username: string;
  email: string;
  role: Role;
  active: boolean;
  pending: boolean;
  last_login: string | null;
}

export interface Token {
  id: string;
  name: string;
  scope: Role;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked: boolean;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: string | null;
  action: string;
  target: string;
  detail: Record<string, unknown>;
}

export interface AllowedAddress {
  address: string;
  for: "tools" | "models" | "both";
  reason: string;
}

export interface Settings {
  network: { allow: AllowedAddress[] };
}

export interface Page<T> {
  results: T[];
  next: string | null;
}
