import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Said } from "@/shared/ui/Said";
import { useDraft } from "../DraftContext";
import classes from "./Yaml.module.css";

/** Every problem with its line; a click goes there. */
export function ProblemList({ to }: { to: "form" | "yaml" }) {
  const { t } = useTranslation();
  const problems = useDraft((state) => state.problems);
  const checked = useDraft((state) => state.checked);
  const goTo = useDraft((state) => state.goTo);
  if (problems.length === 0) {
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
      <h3 role="status">
        <IconAlertCircle size={14} aria-hidden="true" />
        {t("problems.count", { count: problems.length })}
      </h3>
      <ul>
        {problems.map(({ path, line, column, message }, index) => (
          <li key={index}>
            <button type="button" className={classes.problem} onClick={() => goTo({ path, line, column, to })}>
              <span className="muted">{t("problems.line", { line })}</span>
              <span>
                <Said text={message} /> {path && <code>{path}</code>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
