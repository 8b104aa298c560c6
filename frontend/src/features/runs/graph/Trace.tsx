import { SegmentedControl } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { StateIcon } from "@/shared/ui/StateIcon";
import type { GraphFold } from "./fold";
import classes from "./Graph.module.css";
import traceClasses from "./Trace.module.css";
import { TraceDrawing } from "./TraceDrawing";
import { durationOf } from "./visits";

export { durationOf };

const MOST = 200;
const LOOKS = ["list", "drawing"] as const;

interface Props {
  fold: GraphFold;
  selected: string | null;
  /** Stays the same function, so that only what changed is drawn again. */
  onPick: (id: string) => void;
}

interface RowProps {
  id: string;
  node: string;
  state: string;
  depth: number;
  gone: boolean;
  took: number | null;
  selected: boolean;
  onPick: (id: string) => void;
}

const Row = memo(function Row({ id, node, state, depth, gone, took, selected, onPick }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li>
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
        <span className="small muted">{id}</span>
        <span className={`small muted ${classes.time}`}>{format.duration(took)}</span>
      </button>
    </li>
  );
});

/** Every visit in the order in which it came, also those that were taken back. */
function TraceList({ fold, selected, onPick }: Props) {
  const { t } = useTranslation();
  const visits = fold.order;
  const shown = visits.slice(-MOST);
  return (
    <>
      {shown.length < visits.length && (
        <p className="muted small">{t("run.visit.last", { n: shown.length, all: visits.length })}</p>
      )}
      <ol className={classes.trace} aria-label={t("run.visit.trace")}>
        {shown.map((visit) => (
          <Row
            key={visit.id}
            id={visit.id}
            node={visit.node}
            state={visit.state}
            depth={visit.path.length}
            gone={visit.takenBack}
            took={durationOf(visit)}
            selected={selected === visit.id}
            onPick={onPick}
          />
        ))}
      </ol>
    </>
  );
}

/** The visits of a run, as a list in the order in which they came or as a drawing of what led to what. */
export function Trace(props: Props) {
  const { t } = useTranslation();
  const [look, setLook] = useLocalStorage<string>({
    key: "workbench.trace",
    defaultValue: "list",
    getInitialValueInEffect: false,
  });
  if (props.fold.order.length === 0) return <p className="muted">{t("run.visit.none")}</p>;
  return (
    <>
      <div className={traceClasses.head}>
        <SegmentedControl
          size="xs"
          aria-label={t("run.visit.look.title")}
          data={LOOKS.map((value) => ({ value, label: t(`run.visit.look.${value}`) }))}
          value={look}
          onChange={setLook}
        />
      </div>
      {look === "drawing" ? <TraceDrawing {...props} /> : <TraceList {...props} />}
    </>
  );
}
