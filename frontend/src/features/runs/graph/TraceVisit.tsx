import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { StateIcon } from "@/shared/ui/StateIcon";
import classes from "./Trace.module.css";
import { BOX, type TraceBox } from "./traceLayout";

interface Props {
  id: string;
  box: TraceBox;
  /** As it is counted; null once it is taken back. */
  number: string | null;
  /** Changes when the visit does: visits change in place. */
  state: string;
  took: number | null;
  gone: boolean;
  selected: boolean;
  active: boolean;
  readable: boolean;
  onPick: (id: string) => void;
}

/** One visit in the drawing of a trace. */
export const TraceVisit = memo(function TraceVisit({
  id,
  box,
  number,
  state,
  took,
  gone,
  selected,
  active,
  readable,
  onPick,
}: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { visit } = box;
  const counted = number === null ? t("run.visit.takenBack") : t("run.visit.number", { id: number });
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      className={classes.box}
      data-state={state}
      data-gone={gone || undefined}
      data-small={!readable || undefined}
      data-active={active || undefined}
      data-visit={visit.id}
      style={{ left: box.x, top: box.y, width: BOX.width, height: BOX.height }}
      title={`${visit.node} · ${counted}`}
      onClick={() => onPick(visit.id)}
    >
      <StateIcon status={state} size={readable ? 14 : 28} />
      <span className={readable ? classes.words : "visually-hidden"}>
        <span className="truncate">{visit.node}</span>
        <span className={`muted ${classes.second}`}>
          <span className="truncate">{number ?? counted}</span>
          <span>{took === null || gone ? "" : format.duration(took)}</span>
        </span>
      </span>
    </div>
  );
});
