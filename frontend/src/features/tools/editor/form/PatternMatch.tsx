import { LiveMatch } from "../run/LiveMatch";
import { useRunStart } from "../run/RunStart";
import { useExtractTry } from "../run/useExtractTry";

/** What a variable's pattern finds in the step's last answer, while it is written. */
export function PatternMatch({ step, extract }: { step: number; extract: string }) {
  const { view } = useRunStart().journal;
  const text = view.visits.findLast((visit) => visit.step === step)?.response?.text;
  const pattern = /^\/.+\/$/.test(extract);
  const trial = useExtractTry(pattern && typeof text === "string" && text !== "" ? text : null, extract);
  return trial.kind === "none" ? null : <LiveMatch trial={trial} />;
}
