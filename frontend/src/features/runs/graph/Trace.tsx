import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { StateIcon } from "@/shared/ui/StateIcon";
import type { GraphFold, GraphVisit } from "./fold";
import classes from "./Graph.module.css";

const MOST = 500;

export function durationOf(visit: GraphVisit, now?: number): number | null {
  if (!visit.startedAt) return null;
  const end = visit.endedAt ? Date.parse(visit.endedAt) : now;
  return end === undefined ? null : Math.max(0, end - Date.parse(visit.startedAt));
}

interface Props {
  fold: GraphFold;
  selected: string | null;
  onPick: (visit: GraphVisit) => void;
}

/** Every visit in the order in which it came, also those that were taken back. */
export function Trace({ fold, selected, onPick }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const visits = [...fold.visits.values()];
  const shown = visits.slice(-MOST);
  if (visits.length === 0) return <p className="muted">{t("run.visit.none")}</p>;
  return (
    <>
      {shown.length < visits.length && (
        <p className="muted small">{t("run.visit.last", { n: shown.length, all: visits.length })}</p>
      )}
      <ol className={classes.trace} aria-label={t("run.visit.trace")}>
        {shown.map((visit) => (
          <li key={visit.id}>
            <button
              type="button"
              aria-pressed={selected === visit.id}
              data-gone={visit.takenBack || undefined}
              style={{ paddingLeft: 8 + Math.min(visit.path.length, 8) * 14 }}
              onClick={() => onPick(visit)}
            >
              <StateIcon status={visit.state} size={14} />
              <span className="truncate grow">{visit.node}</span>
              {visit.takenBack && <span className="small muted">{t("run.visit.takenBack")}</span>}
              <span className="small muted">{visit.id}</span>
              <span className={`small muted ${classes.time}`}>{format.duration(durationOf(visit))}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
