import { IconAlertTriangleFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { StateIcon } from "@/shared/ui/StateIcon";
import type { RunView, StepVisit } from "../fold";
import { refusalOf } from "./refusals";
import classes from "./Run.module.css";

/** In place of the tick of a step that ran, but was refused. */
export function RefusalIcon() {
  return <IconAlertTriangleFilled size={16} className={classes.refusalIcon} aria-hidden="true" />;
}

/** The mark of an answer that refused. */
export function RefusalMark({ status }: { status: number }) {
  const { t } = useTranslation();
  return <span className={classes.refusal}>{t("run.answered", { status })}</span>;
}

/** Beside a run's state: the first of its steps that was refused, and that there are more. */
export function RunRefusals({ visits }: { visits: readonly StepVisit[] }) {
  const { t } = useTranslation();
  const refused = visits.filter((visit) => refusalOf(visit) !== null);
  const first = refused[0];
  if (!first) return null;
  return (
    <span className={classes.refusal}>
      <IconAlertTriangleFilled size={14} aria-hidden="true" />
      {t("run.stepAnswered", { n: first.step, status: refusalOf(first) })}
      {refused.length > 1 && ` (+${refused.length - 1})`}
    </span>
  );
}

/** A run's state, and beside it that it was refused something. */
export function RunState({ view }: { view: RunView }) {
  return (
    <span className="row" style={{ flexWrap: "wrap", gap: "2px 8px" }}>
      <StateIcon status={view.status} word />
      {view.done && <RunRefusals visits={view.visits} />}
    </span>
  );
}
