import { useHotkeys } from "@mantine/hooks";
import type { GraphFold } from "./fold";
import { stepCommand } from "./stepCommand";
import type { RunControl } from "./useRunControl";

/** F5 and F10 while a run is paused; `control` is null at any other time. */
export function useDebugKeys(control: RunControl | null, fold: GraphFold | undefined): void {
  useHotkeys(
    control && fold
      ? [
          ["F5", () => control.send({ command: "resume" })],
          ["F10", () => control.send(stepCommand(fold))],
        ]
      : [],
  );
}
