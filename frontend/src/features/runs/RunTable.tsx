import { Checkbox, Tooltip } from "@mantine/core";
import { IconApi, IconGitFork, IconHierarchy2 } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RunRow } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { useSay } from "@/shared/i18n/sentences";
import { Said } from "@/shared/ui/Said";
import { StateIcon } from "@/shared/ui/StateIcon";
import classes from "@/shared/ui/Table.module.css";
import { shortId } from "./bulk";
import { RunInputs } from "./RunInputs";

const WORKING = new Set(["queued", "running", "stopping"]);
const RESTING = new Set(["waiting", "paused"]);

/** How long it took; how long ago it began, where it has not ended. */
function Duration({ row }: { row: RunRow }) {
  const format = useFormat();
  const working = WORKING.has(row.status);
  const live = (working || RESTING.has(row.status)) && row.started_at !== null;
  const now = useNow(working ? 200 : 1000, live);
  return <>{format.duration(live ? Math.max(0, now - new Date(row.started_at!).getTime()) : row.duration_ms)}</>;
}

interface Props {
  rows: RunRow[];
  filtered: boolean;
  /** The runs that are ticked; without it none can be. */
  ticked?: ReadonlySet<string>;
  onTick?: (ids: ReadonlySet<string>) => void;
}

function Kind({ kind }: { kind: RunRow["kind"] }) {
  const { t } = useTranslation();
  const Shape = kind === "graph" ? IconHierarchy2 : IconApi;
  return (
    <Tooltip label={t(`runs.kindOf.${kind}`)}>
      <span className={`muted ${classes.above}`} style={{ display: "inline-flex", verticalAlign: "middle" }}>
        <Shape size={16} aria-hidden="true" />
        <span className="visually-hidden">{t(`runs.kindOf.${kind}`)}</span>
      </span>
    </Tooltip>
  );
}

/** From which run it goes on. */
function Origin({ parent }: { parent: string }) {
  const { t } = useTranslation();
  return (
    <Link to="/runs/$id" params={{ id: parent }} className={`small ${classes.above} ${classes.origin}`}>
      <IconGitFork size={13} aria-hidden="true" />
      {t("runs.fromRun", { id: shortId(parent) })}
    </Link>
  );
}

export function RunTable({ rows, filtered, ticked, onTick }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const say = useSay();
  if (rows.length === 0)
    return (
      <div className={classes.wrap}>
        <p className={classes.nothing}>
          {t(filtered ? "runs.nothingFound" : "runs.none")}{" "}
          {!filtered && (
            <>
              <Link to="/tools">{t("runs.toTools")}</Link> <Link to="/graphs">{t("runs.toGraphs")}</Link>
            </>
          )}
        </p>
      </div>
    );
  return (
    <div className={classes.wrap}>
      <table className={classes.table} style={{ whiteSpace: "nowrap" }} aria-label={t("places.runs")}>
        <thead>
          <tr>
            {ticked && (
              <th scope="col" style={{ width: 32 }}>
                <Checkbox
                  size="xs"
                  aria-label={t("runs.tickAll")}
                  checked={ticked.size > 0 && rows.every(({ id }) => ticked.has(id))}
                  indeterminate={ticked.size > 0 && !rows.every(({ id }) => ticked.has(id))}
                  onChange={(e) => onTick?.(new Set(e.currentTarget.checked ? rows.map(({ id }) => id) : []))}
                />
              </th>
            )}
            <th scope="col">{t("runs.status")}</th>
            <th scope="col">{t("runs.name")}</th>
            <th scope="col" className={classes.wide}>
              {t("runs.environment")}
            </th>
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
              {ticked && (
                <td>
                  <Checkbox
                    size="xs"
                    className={classes.above}
                    aria-label={t("runs.tick", { name: row.name })}
                    checked={ticked.has(row.id)}
                    onChange={(e) => {
                      const next = new Set(ticked);
                      if (e.currentTarget.checked) next.add(row.id);
                      else next.delete(row.id);
                      onTick?.(next);
                    }}
                  />
                </td>
              )}
              <td>
                <StateIcon status={row.status} word />
              </td>
              <td style={{ width: "100%", minWidth: 160, maxWidth: 0 }}>
                <div className="row">
                  <Kind kind={row.kind} />
                  <Link to="/runs/$id" params={{ id: row.id }} className={classes.main} title={row.name}>
                    {row.name}
                  </Link>
                  {row.parent && <Origin parent={row.parent} />}
                  {/* Under the name, or beside it where the failure is under it, so that a row is as high as any. */}
                  {row.error && <RunInputs text={row.inputs_short} />}
                </div>
                {row.error ? (
                  <div className={`small truncate ${classes.failure}`} title={say(row.error.message)}>
                    <Said text={row.error.message} />
                  </div>
                ) : (
                  <RunInputs text={row.inputs_short} />
                )}
              </td>
              <td className={classes.wide}>{row.environment ?? <span className="muted">–</span>}</td>
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
