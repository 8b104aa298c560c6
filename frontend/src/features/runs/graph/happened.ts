import type { TFunction } from "i18next";
import type { RunEvent } from "@/shared/api/shapes";

const KNOWN = [
  "run_started",
  "run_paused",
  "run_resumed",
  "run_finished",
  "run_failed",
  "run_cancelled",
  "node_started",
  "node_output",
  "node_waiting",
  "node_finished",
  "node_failed",
  "node_skipped",
  "edge_taken",
  "debug_changed",
  "debug_restored",
  "step_started",
  "step_response",
  "step_variable",
  "step_jump",
  "step_finished",
  "warning",
] as const;

/** What an event says, in words; a kind that has none keeps its name. */
export function happened({ type, node }: Pick<RunEvent, "type" | "node">, t: TFunction): string {
  const known = KNOWN.find((one) => one === type.replace(".", "_"));
  return known ? t(`run.happened.${known}`, { node: node ?? "" }).trim() : [type, node].filter(Boolean).join(" ");
}
