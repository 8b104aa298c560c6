import { useTranslation } from "react-i18next";
import classes from "./Run.module.css";

export function NameValues({ values }: { values: Record<string, unknown> | null | undefined }) {
  const { t } = useTranslation();
  const entries = Object.entries(values ?? {});
  if (entries.length === 0) return <p className="muted">{t("run.noHeaders")}</p>;
  return (
    <dl className={classes.names}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
