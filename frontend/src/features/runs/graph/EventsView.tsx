import { MultiSelect, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunEvent } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { ValueView } from "@/shared/ui/ValueView";
import { dataText, EventFilter, EventNames } from "./eventFilter";
import classes from "./Graph.module.css";
import { happened } from "./happened";
import { VirtualRows } from "./VirtualRows";

const ROW = 32;
const SHORT = 300;

interface Props {
  events: readonly RunEvent[];
  count: number;
  /** Shows the run as it was after an event. */
  onTravel?: (at: number) => void;
}

/** The journal: filtered, searched, and of any length. */
export function EventsView({ events, count, onTravel }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [types, setTypes] = useState<string[]>([]);
  const [node, setNode] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const [picked, setPicked] = useState<RunEvent | null>(null);
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const names = useMemo(() => new EventNames(events), [events]).grow(count);
  const every = types.length === 0 && !node && wanted === "";
  const filter = useMemo(
    () => (every ? null : new EventFilter(events, { types, node, text: wanted })),
    [events, every, types, node, wanted],
  );
  const length = filter ? filter.grow(count) : count;
  return (
    <div className={classes.eventsView}>
      <div className={classes.eventFilters} role="group" aria-label={t("runs.filters")}>
        <TextInput
          label={t("run.search")}
          leftSection={<IconSearch size={14} />}
          value={search}
          onChange={(e) => setSearch(e.currentTarget.value)}
          w={200}
        />
        <MultiSelect
          label={t("run.event")}
          data={[...names.types].sort()}
          value={types}
          onChange={setTypes}
          clearable
          clearButtonProps={{ "aria-label": t("common.clear") }}
          placeholder={types.length ? undefined : t("runs.any")}
          w={240}
        />
        <Select
          label={t("run.node")}
          data={[...names.nodes].sort()}
          value={node}
          onChange={setNode}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t("common.clear") }}
          placeholder={t("runs.any")}
          w={180}
        />
        <span className="muted small" role="status">
          {t("run.eventCount", { count: length })}
        </span>
      </div>
      <div className={classes.eventsSplit}>
        <VirtualRows
          count={length}
          height={ROW}
          label={t("run.events")}
          follow={every}
          header={
            <div role="row" className={classes.eventRow}>
              <span role="columnheader">#</span>
              <span role="columnheader">{t("run.when")}</span>
              <span role="columnheader">{t("run.event")}</span>
              <span role="columnheader">{t("run.node")}</span>
              <span role="columnheader">{t("run.data")}</span>
            </div>
          }
          row={(index) => {
            const at = filter ? filter.found[index]! : index;
            const event = events[at]!;
            return (
              <div
                role="row"
                aria-rowindex={index + 1}
                className={classes.eventRow}
                data-picked={picked === event || undefined}
              >
                <span role="cell">{at + 1}</span>
                <span role="cell">{format.time(event.at)}</span>
                <span role="cell">
                  <button
                    type="button"
                    className={classes.eventName}
                    title={happened(event, t)}
                    onClick={() => setPicked(event)}
                  >
                    {event.type}
                  </button>
                </span>
                <span role="cell" className="truncate">
                  {[...event.path, event.node ?? ""].filter(Boolean).join(" / ")}
                </span>
                <code role="cell" className="truncate">
                  {dataText(event).slice(0, SHORT)}
                </code>
              </div>
            );
          }}
        />
        {picked && (
          <aside className={classes.eventDetail} aria-label={t("run.event")}>
            <div className="row">
              <b className="grow">{picked.type}</b>
              {onTravel && (
                <button type="button" className={classes.link} onClick={() => onTravel(events.indexOf(picked) + 1)}>
                  {t("run.time.show")}
                </button>
              )}
            </div>
            <p className="muted small">
              {format.dateTime(picked.at)} {picked.node && `· ${picked.node}`} {picked.visit && `· ${picked.visit}`}
            </p>
            <ValueView value={picked.data} label={picked.type} />
          </aside>
        )}
      </div>
    </div>
  );
}
