import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { Said } from "@/shared/ui/Said";
import type { TrialState } from "./useExtractTry";
import classes from "./Take.module.css";

const LONGEST = 240;

const oneLine = (text: string) => text.replace(/\s+/g, " ");

/** What a pattern finds just now, with the text around it. */
export function LiveMatch({ trial }: { trial: TrialState }) {
  const { t } = useTranslation();
  const found = trial.kind === "told" ? trial.found : null;
  const value = found?.value ?? "";
  return (
    <div className={classes.match} role="status" aria-label={t("take.match")} data-found={found?.found || undefined}>
      {trial.kind === "long" && <p className="muted">{t("take.tooLong")}</p>}
      {trial.kind === "failed" && <ErrorLine error={trial.error} />}
      {found?.problem && (
        <p className={classes.problem}>
          <Said text={found.problem} />
        </p>
      )}
      {found && !found.problem && !found.found && <p className={classes.problem}>{t("take.notFound")}</p>}
      {found?.found && (
        <p className={classes.found}>
          <span className="muted">{oneLine(found.before)}</span>
          <mark>{value === "" ? t("value.emptyText") : value.slice(0, LONGEST)}</mark>
          {value.length > LONGEST ? "…" : <span className="muted">{oneLine(found.after)}</span>}
        </p>
      )}
    </div>
  );
}
