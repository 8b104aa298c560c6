import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconExternalLink, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { CompareMenu } from "@/features/runs/compare/CompareMenu";
import { DebugBar } from "@/features/runs/graph/DebugBar";
import { RunDuration } from "@/features/runs/graph/RunDuration";
import { TimeSlider } from "@/features/runs/graph/TimeSlider";
import { useDebugKeys } from "@/features/runs/graph/useDebugKeys";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { StateIcon } from "@/shared/ui/StateIcon";
import { useEditor } from "../context";
import classes from "../Editor.module.css";
import type { Actions } from "../useActions";
import { useNamedRun, useWatch, useWatched } from "./watched";

function Unwatch() {
  const { t } = useTranslation();
  const { watch } = useWatch();
  return (
    <Tooltip label={t("graphs.unwatch")}>
      <ActionIcon variant="subtle" color="gray" aria-label={t("graphs.unwatch")} onClick={() => watch(null)}>
        <IconX size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Above the canvas: how the watched run stands, the debugger's buttons, the way to the run's page. */
export function RunBar({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const watched = useWatched();
  const shown = watched !== null;
  // The canvas gives way to the bar and the slider: what was looked at stays in view.
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => actions.settle(true), 80);
    return () => clearTimeout(timer);
  }, [shown, actions]);
  const revision = useEditor((state) => state.draft.revision);
  useDebugKeys(watched?.paused ? watched.control : null, watched?.state.fold);
  const { error } = useNamedRun();
  if (error)
    return (
      <div className={classes.runBar}>
        <ErrorLine error={error} />
        <span className="grow" />
        <Unwatch />
      </div>
    );
  if (!watched) return null;
  const { state, inspected, control, stopping } = watched;
  const { row, fold, status } = state;
  return (
    <div className={classes.runBar} role="region" aria-label={t("run.thisRun")} data-status={status}>
      {!watched.paused && (
        <>
          <StateIcon status={stopping ? "stopping" : status} word />
          <span className={`muted ${classes.took}`}>
            <RunDuration run={row} since={fold.startedAt} done={fold.durationMs} />
          </span>
        </>
      )}
      {watched.past && (
        <Button size="compact-xs" variant="light" onClick={() => inspected.travel(null)}>
          {t("graphs.backToNow")}
        </Button>
      )}
      {watched.mayControl && (
        <DebugBar inline control={control} fold={fold} status={status} node={inspected.node} visit={inspected.visit} />
      )}
      <span className="grow" />
      {row.revision !== revision && (
        <span className={`muted small truncate ${classes.older}`}>
          {t("graphs.olderRun", { revision: row.revision })}
        </span>
      )}
      <CompareMenu run={row} compact />
      <Tooltip label={t("run.open")}>
        <ActionIcon component={Link} to={`/runs/${row.id}`} variant="subtle" color="gray" aria-label={t("run.open")}>
          <IconExternalLink size={16} />
        </ActionIcon>
      </Tooltip>
      <Unwatch />
    </div>
  );
}

/** Below the canvas: goes through the watched run event by event. */
export function RunSlider() {
  const watched = useWatched();
  if (!watched || watched.state.count === 0) return null;
  const { state, inspected } = watched;
  return (
    <div className={classes.sliderRow}>
      <TimeSlider events={state.events} count={state.count} at={inspected.at} onSet={inspected.travel} />
    </div>
  );
}
