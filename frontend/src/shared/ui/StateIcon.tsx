import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconClock,
  IconPlayerPauseFilled,
  IconPlayerStopFilled,
  IconPlayerTrackNextFilled,
} from "@tabler/icons-react";
import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RunStatus } from "@/shared/api/shapes";

/** A visit of a graph's node may also have been skipped. */
type Shown = RunStatus | "skipped";

const COLOURS: Record<Shown, string> = {
  queued: "var(--wb-muted)",
  running: "var(--wb-accent)",
  waiting: "var(--wb-amber)",
  paused: "var(--wb-amber)",
  stopping: "var(--wb-amber)",
  finished: "var(--wb-green)",
  failed: "var(--wb-red)",
  cancelled: "var(--wb-muted)",
  skipped: "var(--wb-muted)",
};

const ICONS = {
  queued: IconCircleDashed,
  waiting: IconClock,
  paused: IconPlayerPauseFilled,
  stopping: IconPlayerStopFilled,
  finished: IconCircleCheckFilled,
  failed: IconCircleXFilled,
  cancelled: IconPlayerStopFilled,
  skipped: IconPlayerTrackNextFilled,
} as const;

interface Props {
  status: string;
  size?: number;
  /** The word beside the icon; without it the icon carries the word for those who can't see it. */
  word?: boolean;
}

/** A run's state: always an icon, colour means state and nothing else. */
export function StateIcon({ status: given, size = 16, word }: Props) {
  const status = given as Shown;
  const { t } = useTranslation();
  const name = t(`status.${status}`);
  const Shape = status === "running" ? null : (ICONS[status] ?? IconAlertTriangleFilled);
  return (
    <span className="row" style={{ gap: 6, color: COLOURS[status], flex: "none" }}>
      {Shape ? <Shape size={size} aria-hidden="true" /> : <Loader size={size} aria-hidden="true" />}
      {word ? <span>{name}</span> : <span className="visually-hidden">{name}</span>}
    </span>
  );
}
