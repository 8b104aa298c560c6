import { useTranslation } from "react-i18next";
import { isCut } from "../fold";
import { LongTextBlock } from "../view/AnswerView";
import { ShowAll, useWholeText } from "../view/CutText";
import type { GraphVisit } from "./visits";

/** The text that a visit said; of one that came cut off its beginning, and the whole when asked for. */
export function SaidText({ run, visit }: { run: string; visit: GraphVisit }) {
  const { t } = useTranslation();
  const given = (visit.output as { text?: unknown } | null | undefined)?.text;
  const whole = useWholeText(run, isCut(given) ? given : visit.text);
  return (
    <>
      <LongTextBlock text={whole.text} label={t("run.visit.said")} />
      <ShowAll whole={whole} />
    </>
  );
}
