import { client, unwrap } from "@/shared/api/client";
import { fromPlain, writeJson } from "@/shared/json/exact";

export type CommandName =
  | "pause"
  | "resume"
  | "step_over"
  | "run_to"
  | "restore_step"
  | "change_output"
  | "set_breakpoint"
  | "clear_breakpoint"
  | "answer"
  | "cancel";

export interface RunCommand {
  command: CommandName;
  visit?: string;
  node?: string;
  key?: string;
  value?: unknown;
  condition?: string;
  on?: "enter" | "leave";
}

/** Sends a command to a run. Numbers go as they were written. */
export function runCommand(id: string, command: RunCommand): Promise<unknown> {
  return unwrap(
    client.POST("/api/v1/runs/{run_id}/command/", {
      params: { path: { run_id: id } },
      body: { ...command },
      bodySerializer: (body) => writeJson(fromPlain(body)),
    }),
  );
}
