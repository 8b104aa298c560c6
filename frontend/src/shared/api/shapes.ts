/** The shapes the pages work with, by name. */
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Role = Schemas["Role"];
export type Session = Schemas["SessionState"];
export type Permission =
  | "tools.read"
  | "tools.write"
  | "tools.publish"
  | "graphs.read"
  | "graphs.write"
  | "graphs.publish"
  | "runs.read"
  | "runs.start"
  | "runs.control"
  | "environments.names"
  | "environments.write"
  | "users.write"
  | "settings.write"
  | "audit.read";
export type SetUpCheck = Schemas["SetUpState"];

export type PlacedProblem = Schemas["PlacedProblem"];
export type ToolProblem = PlacedProblem;
export type RunStatus = Schemas["Status"];
export type RecentRun = Schemas["RunMark"];
export type ToolRow = Schemas["ToolRow"];
export type ToolState = ToolRow["state"];
export type ToolFilter = ToolState | "faulty";
export type Tool = Schemas["ToolBody"];
export type CurlStep = Schemas["CurlStep"];
export type ExtractFound = Schemas["ExtractFound"];
export type ToolCheck = Schemas["ToolCheck"];
export type GraphRow = Schemas["GraphRow"];
export type GraphBody = Schemas["GraphBody"];
export type GraphCheck = Schemas["GraphCheck"];
export type GraphInput = Schemas["GraphInput"];
export type CallInfo = Schemas["CallRow"];
export type ModelName = Schemas["ModelRow"];
export type VersionRow = Schemas["VersionRow"];
export type Version = Schemas["VersionBody"];

export type SavedTest = Schemas["SavedTestRow"];
export type Difference = Schemas["Difference"];

/** A test that fails on a version that was to be published. */
export interface FailedTest {
  id: string;
  title: string;
  difference: Difference;
}

export interface SaveConflict {
  current: { revision: number; yaml: string; updated_at: string; updated_by: string | null };
  yours: { base_revision: number; yaml: string };
}

export type RunError = Schemas["RunError"];
export type RunRow = Schemas["RunRow"];
export type Run = Schemas["RunDetail"];

export interface RunEvent {
  seq: number;
  at: string;
  type: string;
  node: string | null;
  visit: string | null;
  path: unknown[];
  data: Record<string, unknown>;
}

export type EnvironmentRow = Schemas["EnvironmentRow"];
export type Environment = Schemas["EnvironmentDetail"];
export type EnvironmentVariable = Schemas["VariableRow"];
export type EnvironmentSecret = Schemas["SecretRow"];
export type User = Schemas["UserRow"];
export type Token = Schemas["TokenRow"];
export type AuditEntry = Schemas["AuditRow"];
export type AllowedAddress = Schemas["NetworkRuleBody"];
export type Settings = Schemas["SettingsBody"];
export type ModelProvider = Schemas["ProviderBody"];
export type ModelSettings = Schemas["ModelsBody"];

export interface Page<T> {
  results: T[];
  next: string | null;
}
