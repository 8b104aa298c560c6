import { Handle, type NodeProps, Position } from "@xyflow/react";
import { Loader } from "@mantine/core";
import {
  IconAlertCircleFilled,
  IconAlertTriangleFilled,
  IconArrowsJoin,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconClock,
  IconFlagFilled,
  IconMessage2,
  IconPlayerPauseFilled,
  IconPlayerStopFilled,
  IconPlayerTrackNextFilled,
} from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { useSay } from "@/shared/i18n/sentences";
import classes from "./Canvas.module.css";
import type { NodeState, StepNode as StepNodeType } from "./flow";
import { useCanvas } from "./CanvasContext";
import { factOf, iconOf, titleOf } from "./kinds";

const STATE_ICONS = {
  queued: IconCircleDashed,
  waiting: IconClock,
  paused: IconPlayerPauseFilled,
  stopping: IconPlayerStopFilled,
  finished: IconCircleCheckFilled,
  failed: IconCircleXFilled,
  skipped: IconPlayerTrackNextFilled,
  cancelled: IconPlayerStopFilled,
} as const;

function StateMark({ state }: { state: NodeState }) {
  const { t } = useTranslation();
  const word = t(`graphs.status.${state.status}`);
  const Shape = state.status === "running" ? null : STATE_ICONS[state.status];
  return (
    <span className={classes.mark} title={word}>
      {Shape ? <Shape size={16} aria-hidden="true" /> : <Loader size={14} aria-hidden="true" />}
      <span className="visually-hidden">{word}</span>
    </span>
  );
}

/** The second line during a run: live time and text, duration and preview, or what went wrong. */
function StateLine({ state, fact }: { state: NodeState; fact: string }) {
  const format = useFormat();
  const running = state.status === "running";
  const now = useNow(100, running && state.startedAt != null);
  const say = useSay();
  if (state.status === "failed" && state.error)
    return <span title={say(state.error)}>{say(state.error.split("\n")[0]!)}</span>;
  const ms = running && state.startedAt != null ? Math.max(0, now - state.startedAt) : state.durationMs;
  const text = running ? (state.text ?? "").slice(-80) : (state.text ?? "").slice(0, 120);
  const parts = [ms == null ? "" : format.duration(ms), text.replace(/\s+/g, " ").trim()].filter(Boolean);
  const line = parts.length ? parts.join(" · ") : fact;
  return <span title={running ? undefined : line}>{line}</span>;
}

function StepNodeView({ data, selected }: NodeProps<StepNodeType>) {
  const { t } = useTranslation();
  const { node, entry, call, state, breakpoint, problem, warning, editable, unfit } = data;
  const { onPort, onToggleBreakpoint } = useCanvas();
  const Kind = iconOf(node.call);
  const title = titleOf(node);
  const fact = factOf(node) || call;
  return (
    <div
      className={classes.node}
      data-state={state?.status}
      data-selected={selected || undefined}
      data-unfit={unfit || undefined}
      data-problem={problem ? true : undefined}
      data-warning={!problem && !state && warning ? true : undefined}
      data-testid={`node-${node.name}`}
    >
      <Handle
        type="target"
        position={Position.Left}
        className={classes.port}
        isConnectable={editable}
        aria-label={editable ? t("graphs.portIn", { name: title }) : undefined}
        role={editable ? "button" : undefined}
      />
      {onToggleBreakpoint && (
        <button
          type="button"
          className={`${classes.breakpoint} nodrag`}
          data-on={breakpoint || undefined}
          aria-pressed={Boolean(breakpoint)}
          aria-label={t("graphs.breakpoint", { name: title })}
          aria-keyshortcuts="F9"
          title={t("graphs.breakpointTip")}
          tabIndex={selected ? 0 : -1}
          onClick={(event) => {
            event.stopPropagation();
            onToggleBreakpoint(node.name);
          }}
        />
      )}
      {!onToggleBreakpoint && breakpoint && <span className={classes.breakpoint} data-on />}
      <span className={classes.bar} />
      <Kind size={16} className={classes.kind} aria-hidden="true" />
      <div className={classes.words}>
        <div className={classes.title}>
          <span className="truncate" title={title}>
            {title}
          </span>
          {entry && (
            <span title={t("graphs.entry")} className={classes.sign}>
              <IconFlagFilled size={12} aria-hidden="true" />
              <span className="visually-hidden">{t("graphs.entry")}</span>
            </span>
          )}
          {node.mode === "all" && (
            <span title={t("graphs.joinAll")} className={classes.sign}>
              <IconArrowsJoin size={13} aria-hidden="true" />
              <span className="visually-hidden">{t("graphs.joinAll")}</span>
            </span>
          )}
          {node.toUser && (
            <span title={t("graphs.toUserMark")} className={classes.sign}>
              <IconMessage2 size={13} aria-hidden="true" />
              <span className="visually-hidden">{t("graphs.toUserMark")}</span>
            </span>
          )}
        </div>
        <div className={classes.fact}>
          {state ? <StateLine state={state} fact={fact} /> : <span title={fact}>{fact}</span>}
        </div>
      </div>
      {(state?.visits ?? 0) > 1 && (
        <span className={classes.visits} title={t("graphs.visits", { count: state!.visits })}>
          ×{state!.visits}
        </span>
      )}
      {state && <StateMark state={state} />}
      {!state && problem && (
        <span className={`${classes.mark} ${classes.problemMark}`} title={problem}>
          <IconAlertCircleFilled size={16} aria-hidden="true" />
          <span className="visually-hidden">{problem}</span>
        </span>
      )}
      {!state && !problem && warning && (
        <span className={`${classes.mark} ${classes.warningMark}`} title={warning}>
          <IconAlertTriangleFilled size={16} aria-hidden="true" />
          <span className="visually-hidden">{warning}</span>
        </span>
      )}
      {state?.status === "running" && <span className={classes.moving} />}
      <Handle
        type="source"
        position={Position.Right}
        className={classes.port}
        isConnectable={editable}
        aria-label={editable ? t("graphs.portOut", { name: title }) : undefined}
        role={editable ? "button" : undefined}
        tabIndex={editable && selected ? 0 : -1}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          event.stopPropagation();
          onPort?.(node.name);
        }}
      />
    </div>
  );
}

/** A step of the graph: 208 × 56, with no form fields inside. */
export const StepNode = memo(StepNodeView);
