import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { StateIcon } from "@/shared/ui/StateIcon";
import type { GraphFold, GraphVisit } from "./fold";
import classes from "./Graph.module.css";
import { durationOf } from "./visits";
import { TimelineOrder } from "./timelineOrder";
import { numberOf } from "./visitNumbers";
import { VirtualRows } from "./VirtualRows";

const ROW = 32;
const TICKS = 5;

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
  const order = useMemo(() => new TimelineOrder(fold), [fold]);
  // The fold grows in place; its version tells when.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const count = useMemo(() => order.grow().length, [order, version]);
  if (count === 0) return <p className="muted">{t("run.visit.none")}</p>;
  const first = order.at(0).startedAt!;
  const begin = Date.parse(first);
  const end = live ? now : Date.parse(fold.lastAt ?? first);
  const whole = Math.max(1, end - begin);
  const ticks = Array.from({ length: TICKS }, (_, index) => (whole * index) / (TICKS - 1));
  return (
    <VirtualRows
      count={count}
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
        const visit = order.at(index);
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
                <span className="small muted">{numberOf(fold, visit) ?? t("run.visit.takenBack")}</span>
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
