import { Button, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
  IconPlayerTrackNextFilled,
  IconTarget,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import type { GraphFold, GraphVisit } from "./fold";
import type { RunControl } from "./useRunControl";
import { stepCommand } from "./stepCommand";
import classes from "./Graph.module.css";

interface KeyedProps {
  label: string;
  keys?: string;
  icon: ReactNode;
  onClick: () => void;
  disabled?: boolean;
  main?: boolean;
}

function Keyed({ label, keys, icon, onClick, disabled, main }: KeyedProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <Button
        className={classes.keyed}
        data-main={main || undefined}
        aria-label={label}
        size="compact-sm"
        variant={main ? "filled" : "default"}
        leftSection={icon}
        onClick={onClick}
        disabled={disabled}
        aria-keyshortcuts={keys}
      >
        <span className={classes.keyedWord}>{label}</span>
      </Button>
    </Tooltip>
  );
}

const REASONS = ["breakpoint", "step", "pause", "exception", "goto", "back"] as const;

interface Props {
  control: RunControl;
  fold: GraphFold;
  status: string;
  /** The node or the held visit that is selected, for "Step this" and "Run to here". */
  node: string | null;
  visit: GraphVisit | null;
  /** Inside another bar, which has Stop. */
  inline?: boolean;
}

/** The debugger's buttons: what a paused run can do next. */
export function DebugBar({ control, fold, status, node, visit, inline }: Props) {
  const { t } = useTranslation();
  const { send, pending, error } = control;
  if (status === "running" && fold.mode === "debug")
    return (
      <div className={classes.debugBar} role="toolbar" aria-label={t("run.debug.bar")}>
        <Keyed
          label={t("run.debug.pause")}
          icon={<IconPlayerPauseFilled size={14} />}
          onClick={() => send({ command: "pause" })}
          disabled={pending}
        />
        <ErrorLine error={error} />
      </div>
    );
  if (status !== "paused") return error ? <ErrorLine error={error} /> : null;
  const held = fold.held;
  const reason = REASONS.find((one) => one === fold.pausedFor) ?? "pause";
  const nodes = [...new Set(held.map((one) => one.node))];
  const steppable = visit?.state === "paused" ? visit : null;
  return (
    <div
      className={classes.debugBar}
      role="toolbar"
      aria-label={t("run.debug.bar")}
      data-paused={inline ? undefined : true}
      data-inline={inline || undefined}
    >
      <span className={classes.pausedAt} role="status" title={`${t(`run.debug.reason.${reason}`)} ${nodes.join(", ")}`}>
        <IconPlayerPauseFilled size={14} aria-hidden="true" />
        <b>{t(`run.debug.reason.${reason}`)}</b>
        <span className="truncate">{nodes.join(", ")}</span>
      </span>
      <Keyed
        main
        label={t("run.debug.resume")}
        keys="F5"
        icon={<IconPlayerPlayFilled size={14} />}
        onClick={() => send({ command: "resume" })}
        disabled={pending}
      />
      <Keyed
        label={t("run.debug.step")}
        keys="F10"
        icon={<IconPlayerTrackNextFilled size={14} />}
        onClick={() => send(stepCommand(fold))}
        disabled={pending}
      />
      {held.length > 1 && (
        <Keyed
          label={steppable ? t("run.debug.stepThis", { node: steppable.node }) : t("run.debug.stepOne")}
          icon={<IconPlayerTrackNextFilled size={14} />}
          onClick={() => steppable && send({ command: "step_over", visit: steppable.id })}
          disabled={pending || !steppable}
        />
      )}
      <Keyed
        label={t("run.debug.back")}
        icon={<IconArrowBackUp size={14} />}
        onClick={() => send({ command: "restore_step" })}
        disabled={pending}
      />
      <Keyed
        label={t("run.debug.runTo")}
        icon={<IconTarget size={14} />}
        onClick={() => node && send({ command: "run_to", node })}
        disabled={pending || !node}
      />
      {!inline && (
        <Keyed
          label={t("run.stop")}
          icon={<IconPlayerStopFilled size={14} />}
          onClick={() => send({ command: "cancel" })}
          disabled={pending}
        />
      )}
      <ErrorLine error={error} />
    </div>
  );
}
