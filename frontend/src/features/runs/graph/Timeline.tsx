import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { StateIcon } from "@/shared/ui/StateIcon";
import type { GraphFold, GraphVisit } from "./fold";
import classes from "./Graph.module.css";
import { durationOf } from "./visits";
import { VirtualRows } from "./VirtualRows";

const ROW = 32;
const TICKS = 5;

/** Nested visits right below the visit in which they lie. */
function inOrder(fold: GraphFold): GraphVisit[] {
  const numbers = (id: string) =>
    id
      .split(/[/[\]]+/)
      .filter(Boolean)
      .map(Number);
  return fold.order
    .filter((visit) => visit.startedAt)
    .map((visit) => ({ visit, key: numbers(visit.id) }))
    .sort((a, b) => {
      for (let n = 0; n < Math.max(a.key.length, b.key.length); n += 1) {
        const difference = (a.key[n] ?? -1) - (b.key[n] ?? -1);
        if (difference !== 0) return difference;
      }
      return 0;
    })
    .map(({ visit }) => visit);
}

interface Props {
  fold: GraphFold;
  version: number;
  live: boolean;
  selected: string | null;
  onPick: (visit: GraphVisit) => void;
}

/** When each visit began and how long it took, on one axis. */
export function Timeline({ fold, version, live, selected, onPick }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(250, live);
  // The fold grows in place; its version tells when.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const visits = useMemo(() => inOrder(fold), [fold, version]);
  if (visits.length === 0) return <p className="muted">{t("run.visit.none")}</p>;
  const begin = Math.min(...visits.slice(0, 1).map((visit) => Date.parse(visit.startedAt!)));
  const end = live ? now : Date.parse(fold.lastAt ?? visits[0]!.startedAt!);
  const whole = Math.max(1, end - begin);
  const ticks = Array.from({ length: TICKS }, (_, index) => (whole * index) / (TICKS - 1));
  return (
    <VirtualRows
      count={visits.length}
      height={ROW}
      label={t("run.timeline")}
      header={
        <div role="row" className={classes.timeRow}>
          <span role="columnheader">{t("run.node")}</span>
          <span role="columnheader" className={classes.axis}>
            {ticks.map((tick) => (
              <span key={tick}>{format.duration(tick)}</span>
            ))}
          </span>
          <span role="columnheader" className={classes.time}>
            {t("tools.duration")}
          </span>
        </div>
      }
      row={(index) => {
        const visit = visits[index]!;
        const from = Date.parse(visit.startedAt!) - begin;
        const took = durationOf(visit, live ? now : end) ?? 0;
        const left = Math.min(99.5, Math.max(0, (from / whole) * 100));
        return (
          <div
            role="row"
            aria-rowindex={index + 1}
            className={classes.timeRow}
            data-gone={visit.takenBack || undefined}
          >
            <span role="cell" style={{ paddingLeft: Math.min(visit.path.length, 8) * 14 }}>
              <button
                type="button"
                className={classes.timeName}
                aria-pressed={selected === visit.id}
                onClick={() => onPick(visit)}
              >
                <StateIcon status={visit.state} size={14} />
                <span className="truncate">{visit.node}</span>
                <span className="small muted">{visit.id}</span>
              </button>
            </span>
            <span role="cell" className={classes.lane} onClick={() => onPick(visit)}>
              <span
                className={classes.bar}
                data-state={visit.state}
                style={{ left: `${left}%`, width: `max(3px, ${Math.min(100 - left, (took / whole) * 100)}%)` }}
              />
            </span>
            <span role="cell" className={`muted small ${classes.time}`}>
              {format.duration(took)}
            </span>
          </div>
        );
      }}
    />
  );
}
