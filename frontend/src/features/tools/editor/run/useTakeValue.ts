import { useMemo } from "react";
import type { TakeValue } from "@/features/runs/view/TakeValue";
import { useEditor } from "../EditorContext";
import { TakeText } from "./TakeText";
import { useAddVariable } from "./useAddVariable";

/** Takes what somebody clicked or selected in an answer into a new variable of its step, and goes there. */
export function useTakeValue(): TakeValue | null {
  const readOnly = useEditor((state) => state.readOnly);
  const path = useAddVariable();
  return useMemo(() => (readOnly ? null : { path: (step, at) => path(step, at), Text: TakeText }), [readOnly, path]);
}
