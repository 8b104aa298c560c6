import { Button } from "@mantine/core";
import { IconGitCompare, IconPlayerStopFilled, IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunRow } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { Confirm } from "@/shared/ui/Confirm";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { runCancel } from "./requests/runCancel";
import { runRetry } from "./requests/runRetry";
import { isLive, mayRetry } from "./filters";
import classes from "./view/Run.module.css";

/** Every one is tried; the first that was refused is told. */
async function each(rows: RunRow[], act: (id: string) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(rows.map(({ id }) => act(id)));
  const refused = results.find((result) => result.status === "rejected");
  if (refused) throw refused.reason;
}

/** What can be done with the runs that are ticked; `may` tells whether they may be stopped and retried. */
export function BulkBar({ rows, may, onDone }: { rows: RunRow[]; may: boolean; onDone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const settled = () => void queries.invalidateQueries({ queryKey: ["runs"] });
  const done = () => {
    setAsking(false);
    onDone();
  };
  const live = may ? rows.filter(isLive) : [];
  const failed = may ? rows.filter(mayRetry) : [];
  const [older, newer] = [...rows].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const cancel = useOnce({ mutationFn: () => each(live, runCancel), onSuccess: done, onSettled: settled });
  const retry = useOnce({ mutationFn: () => each(failed, runRetry), onSuccess: done, onSettled: settled });
  return (
    <div className={classes.bar} role="group" aria-label={t("runs.bulk")}>
      <span role="status">{t("runs.ticked", { count: rows.length })}</span>
      {rows.length === 2 && (
        <Button
          component={Link}
          to={`/runs/${older!.id}/compare/${newer!.id}`}
          variant="default"
          leftSection={<IconGitCompare size={14} />}
        >
          {t("compare.compare")}
        </Button>
      )}
      {live.length > 0 && (
        <Button variant="default" leftSection={<IconPlayerStopFilled size={14} />} onClick={() => setAsking(true)}>
          {t("runs.cancelTicked", { count: live.length })}
        </Button>
      )}
      {failed.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t("runs.retryTicked", { count: failed.length })}
        </Button>
      )}
      <Button variant="subtle" onClick={onDone}>
        {t("runs.untick")}
      </Button>
      <ErrorLine error={retry.error} />
      {asking && (
        <Confirm
          title={t("runs.cancelTitle")}
          text={t("runs.cancelText", { count: live.length })}
          action={t("runs.cancelTicked", { count: live.length })}
          pending={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
