import { Button } from "@mantine/core";
import { IconGitCompare, IconPlayerStopFilled, IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunRow } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { Confirm } from "@/shared/ui/Confirm";
import { each, type Refused } from "./bulk";
import { BulkOutcome } from "./BulkOutcome";
import { runCancel } from "./requests/runCancel";
import { runRetry } from "./requests/runRetry";
import { isLive, mayRetry } from "./filters";
import classes from "./view/Run.module.css";

interface Props {
  /** The runs that are ticked. */
  rows: RunRow[];
  /** Whether they may be stopped and retried. */
  may: boolean;
  /** Takes the ticks from these runs, and leaves those of others. */
  onUntick: (ids: readonly string[]) => void;
}

interface Told {
  started: { name: string; run: string }[];
  refused: Refused[];
}

/** What can be done with the runs that are ticked, and what came of it. */
export function BulkBar({ rows, may, onUntick }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<"cancel" | "retry" | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const live = may ? rows.filter(isLive) : [];
  const failed = may ? rows.filter(mayRetry) : [];
  const [older, newer] = [...rows].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const settle = (done: { row: RunRow }[]) => {
    setAsking(null);
    onUntick(done.map(({ row }) => row.id));
    void queries.invalidateQueries({ queryKey: ["runs"] });
  };
  const cancel = useOnce({
    mutationFn: () => each(live, runCancel),
    onSuccess: ({ done, refused }) => {
      // What was started before stays linked.
      setTold((now) => ({ started: now?.started ?? [], refused }));
      settle(done);
    },
  });
  const retry = useOnce({
    mutationFn: () => each(failed, runRetry),
    onSuccess: ({ done, refused }) => {
      setTold({ started: done.map(({ row, result }) => ({ name: row.name, run: result.run })), refused });
      settle(done);
    },
  });
  return (
    <>
      {rows.length > 0 && (
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
            <Button
              variant="default"
              leftSection={<IconPlayerStopFilled size={14} />}
              onClick={() => setAsking("cancel")}
            >
              {t("runs.cancelTicked", { count: live.length })}
            </Button>
          )}
          {failed.length > 0 && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={14} />}
              loading={retry.isPending}
              onClick={() => (failed.length > 1 ? setAsking("retry") : retry.mutate())}
            >
              {t("runs.retryTicked", { count: failed.length })}
            </Button>
          )}
          <Button variant="subtle" onClick={() => onUntick(rows.map(({ id }) => id))}>
            {t("runs.untick")}
          </Button>
        </div>
      )}
      {told && told.started.length + told.refused.length > 0 && (
        <BulkOutcome {...told} onDismiss={() => setTold(null)} />
      )}
      {asking === "cancel" && (
        <Confirm
          title={t("runs.cancelTitle")}
          text={t("runs.cancelText", { count: live.length })}
          action={t("runs.cancelTicked", { count: live.length })}
          pending={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === "retry" && (
        <Confirm
          calm
          title={t("runs.retryTitle")}
          text={t("runs.retryText", { count: failed.length })}
          action={t("runs.retryTicked", { count: failed.length })}
          pending={retry.isPending}
          error={retry.error}
          onConfirm={() => retry.mutate()}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
