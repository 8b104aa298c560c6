import { useEffect, useState } from "react";
import type { ExtractFound } from "@/shared/api/shapes";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { extractTry } from "../../requests/extractTry";

/** Longer answers are tried by running the step. */
const LONGEST = 1_000_000;
const PAUSE_MS = 250;

export type TrialState =
  { kind: "none" } | { kind: "long" } | { kind: "failed"; error: unknown } | { kind: "told"; found: ExtractFound };

/** What an extraction finds in a text, as the engine itself says it; it follows what is typed. */
export function useExtractTry(text: string | null, extract: string): TrialState {
  const settled = useDebounced(extract, PAUSE_MS);
  const [state, setState] = useState<TrialState>({ kind: "none" });
  useEffect(() => {
    if (text === null || settled === "") return setState({ kind: "none" });
    if (text.length > LONGEST) return setState({ kind: "long" });
    let gone = false;
    extractTry(text, settled).then(
      (found) => !gone && setState({ kind: "told", found }),
      (error: unknown) => !gone && setState({ kind: "failed", error }),
    );
    return () => {
      gone = true;
    };
  }, [text, settled]);
  return state;
}
