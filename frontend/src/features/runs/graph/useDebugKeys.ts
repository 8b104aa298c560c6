import { useHotkeys } from "@mantine/hooks";
import type { RunControl } from "./useRunControl";

/** F5 and F10 while a run is paused; `control` is null at any other time. */
export function useDebugKeys(control: RunControl | null): void {
  useHotkeys(
    control
      ? [
          ["F5", () => control.send({ command: "resume" })],
          ["F10", () => control.send({ command: "step_over" })],
        ]
      : [],
  );
}
