import { IconArrowRight, IconFileImport, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import type { DocumentKind } from "./kind";
import { useCreate } from "./useCreate";
import classes from "./Starters.module.css";

/** None yet: three that run at once, a new one, or one that exists. */
export function Starters({ of, onNew, onImport }: { of: DocumentKind; onNew: () => void; onImport: () => void }) {
  const { kind } = of;
  const { t } = useTranslation();
  const mayWrite = useMay(`${kind}.write`);
  const create = useCreate(of);
  if (!mayWrite) return <p className="muted">{t(`${kind}.noneYet`)}</p>;
  return (
    <section aria-label={t(`${kind}.start`)} className={classes.place}>
      <h2>{t(`${kind}.start`)}</h2>
      <div className={classes.cards}>
        {of.examples.map(({ title, text, yaml }) => (
          <button
            key={title}
            type="button"
            className={classes.card}
            onClick={() => create.mutate(yaml)}
            disabled={create.isPending}
          >
            <b>{t(title)}</b>
            <span className="muted">{t(text)}</span>
            <span className={classes.go}>
              {t("tools.openExample")} <IconArrowRight size={14} aria-hidden="true" />
            </span>
          </button>
        ))}
      </div>
      <div className={classes.cards}>
        <button type="button" className={classes.small} onClick={onNew}>
          <IconPlus size={16} aria-hidden="true" />
          {t(`${kind}.new`)}
        </button>
        <button type="button" className={classes.small} onClick={onImport}>
          <IconFileImport size={16} aria-hidden="true" />
          {t(`${kind}.import`)}
        </button>
      </div>
      <ErrorLine error={create.error} />
    </section>
  );
}
