import { Badge } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { RunStrip } from "@/shared/ui/RunStrip";
import { StateIcon } from "@/shared/ui/StateIcon";
import classes from "@/shared/ui/Table.module.css";
import type { DocumentKind, DocumentRow } from "./kind";

function Row({ kind, row }: { kind: DocumentKind["kind"]; row: DocumentRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, desc, state, problem_count: problems, last_run: last } = row;
  return (
    <tr>
      <td>
        <Link to={`/${kind}/$name`} params={{ name }} className={classes.main} title={name}>
          {name}
        </Link>
        <div className="muted small truncate" title={desc || undefined}>
          {desc}
        </div>
      </td>
      <td>
        <div className="row" style={{ flexWrap: "wrap", gap: "2px 8px" }}>
          <Badge
            variant="outline"
            color={state === "draft" ? "gray" : "green"}
            tt="none"
            fw={400}
            title={state === "changed" ? t("tools.state.changed") : undefined}
          >
            {t(state === "changed" ? "tools.changedShort" : `tools.state.${state}`)}
          </Badge>
          {problems > 0 && (
            <span className="row small" style={{ gap: 4, color: "var(--wb-red)", whiteSpace: "nowrap" }}>
              <IconAlertCircle size={14} aria-hidden="true" />
              {t("problems.count", { count: problems })}
            </span>
          )}
        </div>
      </td>
      <td>
        {last ? (
          <span className="row">
            <StateIcon status={last.status} />
            <time dateTime={last.created_at} title={format.dateTime(last.created_at)}>
              {format.ago(last.created_at)}
            </time>
          </span>
        ) : (
          <span className="muted">{t("tools.neverRun")}</span>
        )}
      </td>
      <td className={classes.roomy}>
        <div className={classes.above} style={{ width: "fit-content" }}>
          <RunStrip runs={row.recent_runs} />
        </div>
      </td>
      <td className={classes.right}>{last ? format.duration(last.duration_ms) : "–"}</td>
    </tr>
  );
}

/** A list of documents, with what became of their last runs. */
export function DocumentTable({ kind, rows }: { kind: DocumentKind["kind"]; rows: DocumentRow[] }) {
  const { t } = useTranslation();
  if (rows.length === 0)
    return (
      <div className={classes.wrap}>
        <p className={classes.nothing}>{t(`${kind}.nothingFound`)}</p>
      </div>
    );
  return (
    <div className={classes.wrap}>
      <table className={`${classes.table} ${classes.fixed}`} aria-label={t(`places.${kind}`)}>
        <colgroup>
          <col />
          <col className={classes.state} />
          <col style={{ width: 132 }} />
          <col className={classes.roomy} style={{ width: 150 }} />
          <col style={{ width: 88 }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{t("tools.name")}</th>
            <th scope="col">{t("tools.stateFilter")}</th>
            <th scope="col">{t("tools.lastRun")}</th>
            <th scope="col" className={classes.roomy}>
              {t("tools.last20")}
            </th>
            <th scope="col" className={classes.right}>
              {t("tools.duration")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} kind={kind} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
