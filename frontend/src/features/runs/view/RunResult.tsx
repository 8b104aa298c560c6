import { IconAlertTriangle } from "@tabler/icons-react";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { Said } from "@/shared/ui/Said";
import type { RunView } from "../fold";
import { OutputView } from "./OutputView";
import { refusalBehind } from "./refusals";
import { TakeValueContext } from "./TakeValue";
import { RunErrorCard } from "./RunError";
import { VisitCard } from "./VisitCard";
import classes from "./Run.module.css";

interface Props {
  run: string;
  view: RunView;
  onGoTo?: (path: string) => void;
}

export function Warnings({ warnings }: { warnings: string[] }) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <div className={classes.warnings} role="status" aria-label={t("run.warnings")}>
      <IconAlertTriangle size={16} aria-hidden="true" />
      <ul>
        {warnings.map((text, index) => (
          <li key={index}>
            <Said text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A run as it happened so far: what it gave or why it failed, and its steps. */
export function RunResult({ run, view, onGoTo }: Props) {
  const { t } = useTranslation();
  // Whose values are to be taken has them before them where there is but one answer.
  const taking = useContext(TakeValueContext) !== null;
  const alone = taking && view.done && view.visits.length === 1;
  return (
    <div className={classes.result}>
      {view.error && (
        <RunErrorCard error={view.error} refusal={refusalBehind(view.error, view.visits)} onGoTo={onGoTo} />
      )}
      <Warnings warnings={view.warnings} />
      {view.status === "finished" && (
        <section className={classes.part} aria-label={t("run.output")}>
          <h2>{t("run.output")}</h2>
          <OutputView run={run} output={view.output} />
        </section>
      )}
      {view.visits.length > 0 && (
        <section className={classes.part} aria-label={t("run.stepsTaken")}>
          <h2>{t("run.stepsTaken")}</h2>
          <ol className={classes.visits}>
            {view.visits.map((visit) => (
              <VisitCard key={visit.visit} run={run} visit={visit} expanded={alone} onGoTo={onGoTo} />
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
