import { ActionIcon, Button, Slider, Tooltip } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RunEvent } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import classes from "./Graph.module.css";
import { happened } from "./happened";

interface Props {
  events: readonly RunEvent[];
  count: number;
  at: number | null;
  onSet: (at: number | null) => void;
}

/** Goes through the run event by event; at its end the run is shown as it is now. */
export function TimeSlider({ events, count, at, onSet }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = Math.min(at ?? count, count);
  const event = events[shown - 1];
  const words = event ? happened(event, t) : "";
  const set = (next: number) => onSet(next >= count ? null : Math.max(1, next));
  return (
    <div className={classes.slider} role="group" aria-label={t("run.time.travel")} data-past={at !== null || undefined}>
      <Tooltip label={t("run.time.earlier")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("run.time.earlier")}
          disabled={shown <= 1}
          onClick={() => set(shown - 1)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
      </Tooltip>
      <Slider
        className={classes.track}
        min={1}
        max={Math.max(2, count)}
        value={Math.max(1, shown)}
        label={null}
        size={4}
        onChange={set}
        thumbLabel={t("run.time.travel")}
        thumbValueText={t("run.time.at", { n: shown, all: count, type: words })}
      />
      <Tooltip label={t("run.time.later")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("run.time.later")}
          disabled={at === null}
          onClick={() => set(shown + 1)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </Tooltip>
      <span className={`${classes.sliderText} small muted`}>
        {event && (
          <>
            {shown}/{count} · <span title={event.type}>{words}</span> · {format.time(event.at)}
          </>
        )}
      </span>
      <Button
        size="compact-xs"
        variant={at === null ? "subtle" : "filled"}
        disabled={at === null}
        onClick={() => onSet(null)}
      >
        {t("run.time.now")}
      </Button>
    </div>
  );
}
