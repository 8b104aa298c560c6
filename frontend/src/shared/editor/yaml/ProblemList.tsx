import { Button } from "@mantine/core";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PlacedProblem } from "@/shared/api/shapes";
import { Said } from "@/shared/ui/Said";
import { useDraft } from "../DraftContext";
import classes from "./Yaml.module.css";

/** What is likely not meant, though the document holds; it keeps nobody from publishing. */
export interface ProblemWarning extends PlacedProblem {
  mend?: { label: string; act: (to: "form" | "yaml") => void };
}

const NO_WARNINGS: ProblemWarning[] = [];

function Line({
  problem: { path, line, column, message, mend },
  to,
}: {
  problem: ProblemWarning;
  to: "form" | "yaml";
}) {
  const { t } = useTranslation();
  const goTo = useDraft((state) => state.goTo);
  return (
    <li>
      <button type="button" className={classes.problem} onClick={() => goTo({ path, line, column, to })}>
        <span className="muted">{t("problems.line", { line })}</span>
        <span>
          <Said text={message} /> {path && <code>{path}</code>}
        </span>
      </button>
      {mend && (
        <Button size="compact-xs" variant="default" className={classes.mend} onClick={() => mend.act(to)}>
          {mend.label}
        </Button>
      )}
    </li>
  );
}

/** Every problem and warning with its line; a click goes there. */
export function ProblemList({
  to,
  problems: some,
  warnings = NO_WARNINGS,
  hint,
}: {
  to: "form" | "yaml";
  /** What counts as a problem, when that isn't all that the server said. */
  problems?: readonly PlacedProblem[];
  warnings?: readonly ProblemWarning[];
  /** What to do first, while there is nothing that could be right or wrong. */
  hint?: string;
}) {
  const { t } = useTranslation();
  const all = useDraft((state) => state.problems);
  const problems = some ?? all;
  const checked = useDraft((state) => state.checked);
  if (hint && problems.length === 0 && warnings.length === 0)
    return (
      <div className={classes.problems} role="status">
        <p className={classes.fine} style={{ color: "var(--wb-muted)" }}>
          {hint}
        </p>
      </div>
    );
  if (problems.length === 0 && warnings.length === 0) {
    return (
      <div className={classes.problems} role="status">
        <p className={classes.fine} style={checked ? undefined : { color: "var(--wb-muted)" }}>
          <IconCircleCheck size={14} aria-hidden="true" />
          {checked ? t("problems.none") : t("problems.checking")}
        </p>
      </div>
    );
  }
  return (
    <section className={classes.problems} aria-label={t("problems.title")}>
      {problems.length > 0 && (
        <>
          <h3 role="status">
            <IconAlertCircle size={14} aria-hidden="true" />
            {t("problems.count", { count: problems.length })}
          </h3>
          <ul>
            {problems.map((problem, index) => (
              <Line key={index} problem={problem} to={to} />
            ))}
          </ul>
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h3 role="status" data-severity="warning">
            <IconAlertTriangle size={14} aria-hidden="true" />
            {t("problems.warnings", { count: warnings.length })}
          </h3>
          <ul>
            {warnings.map((warning) => (
              <Line key={`${warning.path} ${warning.message}`} problem={warning} to={to} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
