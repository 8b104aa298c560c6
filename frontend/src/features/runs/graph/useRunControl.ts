import { useMutation } from "@tanstack/react-query";
import { type RunCommand, runCommand } from "../requests/runCommand";

export interface RunControl {
  send: (command: RunCommand) => void;
  pending: boolean;
  error: unknown;
  stopping: boolean;
}

/** Commands to one run; what was refused is shown where they are given. */
export function useRunControl(id: string): RunControl {
  const sending = useMutation({ mutationFn: (command: RunCommand) => runCommand(id, command) });
  return {
    send: (command) => sending.mutate(command),
    pending: sending.isPending,
    error: sending.error,
    stopping: sending.variables?.command === "cancel" && !sending.isError,
  };
}
