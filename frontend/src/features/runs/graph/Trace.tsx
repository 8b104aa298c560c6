import { SegmentedControl } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { useSlowed } from "@/shared/hooks/useSlowed";
import { StateIcon } from "@/shared/ui/StateIcon";
import type { GraphFold } from "./fold";
import classes from "./Graph.module.css";
import traceClasses from "./Trace.module.css";
import { TraceDrawing } from "./TraceDrawing";
import { VirtualRows } from "./VirtualRows";
import { numberOf } from "./visitNumbers";
import { durationOf } from "./visits";

const ROW = 28;
const LOOKS = ["list", "drawing"] as const;
/** How often it is drawn anew: this many ms apart, and one more for so many visits. */
const DRAW_MS = 150;
const VISITS_A_MS = 100;

interface Props {
  fold: GraphFold;
  selected: string | null;
  /** Stays the same function, so that only what changed is drawn again. */
  onPick: (id: string) => void;
}

/** The fold grows in place: `version` tells when to draw it again. */
interface LookProps extends Props {
  version: number;
}

interface RowProps {
  id: string;
  number: string | null;
  node: string;
  state: string;
  depth: number;
  gone: boolean;
  took: number | null;
  selected: boolean;
  onPick: (id: string) => void;
}

const Row = memo(function Row({ id, number, node, state, depth, gone, took, selected, onPick }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div role="cell">
      <button
        type="button"
        aria-pressed={selected}
        data-gone={gone || undefined}
        style={{ paddingLeft: 8 + Math.min(depth, 8) * 14 }}
        onClick={() => onPick(id)}
      >
        <StateIcon status={state} size={14} />
        <span className="truncate grow">{node}</span>
        {gone && <span className="small muted">{t("run.visit.takenBack")}</span>}
        {number !== null && <span className="small muted">{number}</span>}
        <span className={`small muted ${classes.time}`}>{format.duration(took)}</span>
      </button>
    </div>
  );
});

/** Every visit in the order in which it came, also those that were taken back. */
const TraceList = memo(function TraceList({ fold, selected, onPick }: LookProps) {
  const { t } = useTranslation();
  const visits = fold.order;
  const showing = selected === null ? -1 : visits.findIndex(({ id }) => id === selected);
  return (
    <div className={traceClasses.list} style={{ height: Math.max(3, Math.min(visits.length, 100)) * ROW + 2 }}>
      <VirtualRows
        count={visits.length}
        height={ROW}
        label={t("run.visit.trace")}
        follow={selected === null}
        showing={showing < 0 ? undefined : showing}
        row={(index) => {
          const visit = visits[index]!;
          return (
            <div role="row" aria-rowindex={index + 1} className={classes.trace}>
              <Row
                id={visit.id}
                number={numberOf(fold, visit)}
                node={visit.node}
                state={visit.state}
                depth={visit.path.length}
                gone={visit.takenBack}
                took={durationOf(visit)}
                selected={selected === visit.id}
                onPick={onPick}
              />
            </div>
          );
        }}
      />
    </div>
  );
});

/** Drawn once, not with every event. */
const LookPicker = memo(function LookPicker({ look, onLook }: { look: string; onLook: (look: string) => void }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("run.visit.look.title")}
      data={LOOKS.map((value) => ({ value, label: t(`run.visit.look.${value}`) }))}
      value={look}
      onChange={onLook}
    />
  );
});

/** The visits of a run, as a list in the order in which they came or as a drawing of what led to what. */
export function Trace(props: Props) {
  const { t } = useTranslation();
  const [look, setLook] = useLocalStorage<string>({
    key: "workbench.trace",
    defaultValue: "list",
    getInitialValueInEffect: false,
  });
  const { version: newest, order } = props.fold;
  const version = useSlowed(newest, DRAW_MS + order.length / VISITS_A_MS);
  if (order.length === 0) return <p className="muted">{t("run.visit.none")}</p>;
  return (
    <div className={traceClasses.trace}>
      <div className={traceClasses.head}>
        <LookPicker look={look} onLook={setLook} />
      </div>
      {look === "drawing" ? <TraceDrawing {...props} version={version} /> : <TraceList {...props} version={version} />}
    </div>
  );
}
