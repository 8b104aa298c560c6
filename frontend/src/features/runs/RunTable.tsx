import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RunRow } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { Said } from "@/shared/ui/Said";
import { StateIcon } from "@/shared/ui/StateIcon";
import classes from "@/shared/ui/Table.module.css";

const LIVE = new Set(["queued", "running", "stopping"]);

function Duration({ row }: { row: RunRow }) {
  const format = useFormat();
  const live = LIVE.has(row.status) && row.started_at !== null;
  const now = useNow(200, live);
  return <>{format.duration(live ? Math.max(0, now - new Date(row.started_at!).getTime()) : row.duration_ms)}</>;
}

export function RunTable({ rows, filtered }: { rows: RunRow[]; filtered: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (rows.length === 0)
    return (
      <div className={classes.wrap}>
        <p className={classes.nothing}>{t(filtered ? "runs.nothingFound" : "runs.none")}</p>
      </div>
    );
  return (
    <div className={classes.wrap}>
      <table className={classes.table} aria-label={t("places.runs")}>
        <thead>
          <tr>
            <th scope="col">{t("runs.status")}</th>
            <th scope="col">{t("runs.name")}</th>
            <th scope="col">{t("runs.environment")}</th>
            <th scope="col">{t("runs.user")}</th>
            <th scope="col">{t("runs.started")}</th>
            <th scope="col" className={classes.right}>
              {t("tools.duration")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td style={{ width: 130 }}>
                <StateIcon status={row.status} word />
              </td>
              <td style={{ maxWidth: 420 }}>
                <Link to="/runs/$id" params={{ id: row.id }} className={classes.main}>
                  {row.name}
                </Link>
                {row.error && (
                  <div className="small truncate" style={{ color: "var(--wb-red)" }}>
                    <Said text={row.error.message} />
                  </div>
                )}
              </td>
              <td>{row.environment ?? <span className="muted">–</span>}</td>
              <td>{row.user ?? <span className="muted">–</span>}</td>
              <td>
                <time dateTime={row.created_at} title={format.dateTime(row.created_at)}>
                  {format.ago(row.created_at)}
                </time>
              </td>
              <td className={classes.right}>
                <Duration row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
