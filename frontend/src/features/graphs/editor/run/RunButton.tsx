import { Button, Tooltip } from "@mantine/core";
import { IconPlayerPlayFilled, IconPlayerStopFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { RUN_WIDTH } from "@/shared/editor/runWidth";
import { useWatched } from "./watched";

/**
 * Run; while the watched run goes on, Stop, which says "stopping" until it has stopped.
 *
 * One press of it opens the form, the next starts, the one after stops: the second click of a double click does none.
 */
export function RunButton({ onRun }: { onRun: () => void }) {
  const { t } = useTranslation();
  const watched = useWatched();
  if (watched?.live && watched.mayControl)
    return (
      <Button
        variant="default"
        miw={RUN_WIDTH}
        leftSection={<IconPlayerStopFilled size={14} />}
        disabled={watched.stopping}
        onClick={({ detail }) => detail > 1 || watched.control.send({ command: "cancel" })}
      >
        {t(watched.stopping ? "run.stopping" : "run.stop")}
      </Button>
    );
  return (
    <Tooltip label={t("run.keys")}>
      <Button
        miw={RUN_WIDTH}
        leftSection={<IconPlayerPlayFilled size={14} />}
        onClick={({ detail }) => detail > 1 || onRun()}
        aria-keyshortcuts="Control+Enter"
      >
        {t("run.run")}
      </Button>
    </Tooltip>
  );
}
