import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Run } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { StateIcon } from "@/shared/ui/StateIcon";
import classes from "./Graph.module.css";
import { RunDuration } from "./RunDuration";

interface Props {
  run: Run;
  status: string;
  since: string | null;
  done: number | null;
  restedMs: number;
  debug: boolean;
}

/** How a run stands, how long it took, whose it is; drawn again only when one of these changes. */
export const RunFacts = memo(function RunFacts({ run, status, since, done, restedMs, debug }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={classes.facts} data-testid="run-facts">
      <StateIcon status={status} word />
      <span>
        <RunDuration run={run} since={since} done={done} />
        {restedMs >= 1000 && ` ${t("run.rested", { time: format.duration(restedMs) })}`}
      </span>
      <span>{format.dateTime(run.started_at ?? run.created_at)}</span>
      <span>{run.user ?? "–"}</span>
      <span>
        {t("runs.revision")} {run.revision}
      </span>
      {run.entered.length > 0 && <span>{run.entered.map((one) => t("run.entered", { ...one })).join(", ")}</span>}
      {run.environment && <span>{run.environment}</span>}
      {debug && <span>{t("run.debug.mode")}</span>}
      {run.parent && (
        <span>
          {t("run.parent")}{" "}
          <Anchor component={Link} to="/runs/$id" params={{ id: run.parent } as never} size="sm">
            {run.parent.slice(0, 8)}
          </Anchor>
        </span>
      )}
    </div>
  );
});
