import { Button, Tooltip } from "@mantine/core";
import { IconPlayerPlayFilled, IconPlayerStopFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { RUN_WIDTH } from "@/shared/editor/runWidth";
import { useRunStart } from "./RunStart";

/** Run; Stop while it runs; "Stopping" until the end is confirmed. */
export function RunButton() {
  const { t } = useTranslation();
  const { state, start, stop } = useRunStart();
  if (state === "running" || state === "stopping") {
    return (
      <Button
        variant="default"
        miw={RUN_WIDTH}
        leftSection={<IconPlayerStopFilled size={14} />}
        // The second click of a double click on Run.
        onClick={({ detail }) => detail > 1 || stop()}
        disabled={state === "stopping"}
      >
        {t(state === "stopping" ? "run.stopping" : "run.stop")}
      </Button>
    );
  }
  return (
    <Tooltip label={t("run.keys")}>
      <Button
        miw={RUN_WIDTH}
        leftSection={<IconPlayerPlayFilled size={14} />}
        loading={state === "starting"}
        onClick={() => start()}
        aria-keyshortcuts="Control+Enter"
      >
        {t("run.run")}
      </Button>
    </Tooltip>
  );
}
