import { Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecentRun, RunStatus } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import classes from "./RunStrip.module.css";

const HEIGHTS = [8, 12, 16, 20];

/** The last runs, oldest left: height tells how long each took among them, colour how it ended. */
export function RunStrip({ runs, length = 20 }: { runs: RecentRun[]; length?: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = runs.slice(0, length).reverse();
  const longest = Math.max(1, ...shown.map((run) => run.duration_ms ?? 0));
  const failed = shown.filter((run) => run.status === "failed").length;
  return (
    <div
      className={classes.strip}
      data-empty={shown.length === 0 || undefined}
      role="img"
      aria-label={t("tools.recentRuns", { count: shown.length, failed })}
    >
      {Array.from({ length: length - shown.length }, (_, i) => (
        <span key={`none-${i}`} className={classes.none} />
      ))}
      {shown.map((run) => {
        const step = Math.min(3, Math.floor(((run.duration_ms ?? 0) / longest) * 4));
        return (
          <Tooltip
            key={run.id}
            label={`${t(`status.${run.status as RunStatus}`)} · ${format.duration(run.duration_ms)}`}
          >
            <span className={classes.bar} data-status={run.status} style={{ height: HEIGHTS[step] }} />
          </Tooltip>
        );
      })}
    </div>
  );
}
