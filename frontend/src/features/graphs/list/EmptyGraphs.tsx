import { IconArrowRight, IconFileImport, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useCreateGraph } from "./NewGraph";
import { EXAMPLES } from "./examples";
import classes from "@/shared/ui/Starters.module.css";

/** No graphs yet: three that run at once, a new one, or one that exists. */
export function EmptyGraphs({ onNew, onImport }: { onNew: () => void; onImport: () => void }) {
  const { t } = useTranslation();
  const mayWrite = useMay("graphs.write");
  const create = useCreateGraph();
  if (!mayWrite) return <p className="muted">{t("graphs.noneYet")}</p>;
  return (
    <section aria-label={t("graphs.start")} className={classes.place}>
      <h2>{t("graphs.start")}</h2>
      <div className={classes.cards}>
        {EXAMPLES.map(({ id, yaml }) => (
          <button
            key={id}
            type="button"
            className={classes.card}
            onClick={() => create.mutate(yaml)}
            disabled={create.isPending}
          >
            <b>{t(`graphs.example.${id}.title`)}</b>
            <span className="muted">{t(`graphs.example.${id}.text`)}</span>
            <span className={classes.go}>
              {t("tools.openExample")} <IconArrowRight size={14} aria-hidden="true" />
            </span>
          </button>
        ))}
      </div>
      <div className={classes.cards}>
        <button type="button" className={classes.small} onClick={onNew}>
          <IconPlus size={16} aria-hidden="true" />
          {t("graphs.new")}
        </button>
        <button type="button" className={classes.small} onClick={onImport}>
          <IconFileImport size={16} aria-hidden="true" />
          {t("graphs.import")}
        </button>
      </div>
      <ErrorLine error={create.error} />
    </section>
  );
}
