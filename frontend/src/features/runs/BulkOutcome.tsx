import { Anchor, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { type Refused, shortId } from "./bulk";
import classes from "./view/Run.module.css";

const SHOWN = 8;

interface Props {
  /** The runs that were started, by the name of what they run. */
  started: { name: string; run: string }[];
  refused: Refused[];
  onDismiss: () => void;
}

/** What came of what was done with the ticked runs, until it is dismissed. */
export function BulkOutcome({ started, refused, onDismiss }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.part}>
      <div className={classes.bar}>
        <span role="status" className={classes.started}>
          {started.length > 0 && t("runs.startedCount", { count: started.length })}
          {started.slice(0, SHOWN).map(({ name, run }) => (
            <Anchor key={run} component={Link} to="/runs/$id" params={{ id: run } as never} size="sm">
              {name} {shortId(run)}
            </Anchor>
          ))}
          {started.length > SHOWN && t("runs.startedMore", { count: started.length - SHOWN })}
          {refused.length > 0 && <span>{t("runs.refusedCount", { count: refused.length })}</span>}
        </span>
        <Button variant="subtle" onClick={onDismiss}>
          {t("run.ask.dismiss")}
        </Button>
      </div>
      {refused.length > 0 && (
        <ul className={classes.refused}>
          {refused.map(({ row, error }) => (
            <li key={row.id}>
              <Anchor component={Link} to="/runs/$id" params={{ id: row.id } as never} size="sm">
                {row.name} {shortId(row.id)}
              </Anchor>
              <ErrorLine error={error} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
