import { Button, MultiSelect, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { toolList } from "@/features/tools/requests/toolList";
import type { RunStatus } from "@/shared/api/shapes";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { usePages } from "@/shared/hooks/usePages";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { MoreRows } from "@/shared/ui/MoreRows";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage } from "@/shared/ui/PlainPage";
import { Waiting } from "@/shared/ui/Waiting";
import { BulkBar } from "./BulkBar";
import { askedFor, fits, type Search } from "./filters";
import { graphNames } from "./requests/graphNames";
import { runList } from "./requests/runList";
import { RunTable } from "./RunTable";
import { useLiveRuns } from "./useLiveRuns";
import classes from "./view/Run.module.css";

const STATUSES: RunStatus[] = ["queued", "running", "waiting", "paused", "stopping", "finished", "failed", "cancelled"];

function TextFilter({
  label,
  value,
  onSet,
  type,
}: {
  label: string;
  value: string;
  onSet: (text: string) => void;
  type?: string;
}) {
  const [text, setText] = useState(value);
  const settled = useDebounced(text, 300);
  useEffect(() => {
    if (settled !== value) onSet(settled);
    // Only what was typed counts here; the address follows it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [settled]);
  return <TextInput label={label} value={text} onChange={(e) => setText(e.currentTarget.value)} type={type} />;
}

const KINDS = ["tool", "graph"] as const;

/** The name of a tool or a graph, picked from those that there are. */
function NameFilter({ value, onSet }: { value: string | null; onSet: (text: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const search = useDebounced(text, 200);
  const tools = useQuery({ queryKey: ["tools", "names", search], queryFn: () => toolList({ search }) });
  const graphs = useQuery({ queryKey: ["graphs", "names", search], queryFn: () => graphNames(search) });
  const names = new Set([
    ...(value ? [value] : []),
    ...(graphs.data ?? []),
    ...(tools.data?.results.map(({ name }) => name) ?? []),
  ]);
  return (
    <Select
      label={t("runs.name")}
      data={[...names]}
      value={value}
      onChange={(name) => onSet(name ?? "")}
      searchable
      onSearchChange={setText}
      clearable
      clearButtonProps={{ "aria-label": t("common.clear") }}
      placeholder={t("runs.any")}
      nothingFoundMessage={t("tools.nothingFound")}
    />
  );
}

/** Every run, live; the filters are in the address. */
export function RunsPage() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const changes = useLiveRuns();
  const mayControl = useMay("runs.control");
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  useTitle(t("places.runs"));
  const runs = usePages(["runs", search], (cursor) => runList({ ...askedFor(search), inputs_short: true, cursor }), {
    keep: true,
  });
  const set = (name: keyof Search) => (value: string) =>
    void navigate({ to: "/runs", search: { ...search, [name]: value || undefined } as never, replace: true });
  if (runs.error && !runs.data) return <FailedPage error={runs.error} />;
  const read = runs.rows;
  const known = new Set(read.map(({ id }) => id));
  const fresh = [...changes.values()]
    .filter((row) => !known.has(row.id))
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  const rows = [...fresh, ...read.map((row) => changes.get(row.id) ?? row)].filter((row) => fits(row, search));
  const chosen = rows.filter(({ id }) => ticked.has(id));
  const filtered = Object.values(search).some(Boolean);
  return (
    <PageFrame title={t("places.runs")} intro={t("runs.intro")}>
      <div className={classes.filters} role="group" aria-label={t("runs.filters")}>
        <NameFilter value={search.name ?? null} onSet={set("name")} />
        <Select
          label={t("runs.kind")}
          data={KINDS.map((value) => ({ value, label: t(`runs.kindOf.${value}`) }))}
          value={search.kind ?? null}
          onChange={(kind) => set("kind")(kind ?? "")}
          clearable
          clearButtonProps={{ "aria-label": t("common.clear") }}
          placeholder={t("runs.any")}
        />
        <MultiSelect
          label={t("runs.status")}
          data={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
          value={search.status?.split(",") ?? []}
          clearable
          placeholder={search.status ? undefined : t("runs.any")}
          onChange={(values) => set("status")(values.join(","))}
          clearButtonProps={{ "aria-label": t("common.clear") }}
        />
        <TextFilter key={`u${filtered}`} label={t("runs.user")} value={search.user ?? ""} onSet={set("user")} />
        <TextFilter
          key={`f${filtered}`}
          label={t("runs.from")}
          value={search.from ?? ""}
          onSet={set("from")}
          type="date"
        />
        <TextFilter key={`t${filtered}`} label={t("runs.to")} value={search.to ?? ""} onSet={set("to")} type="date" />
        {filtered && (
          <Button variant="subtle" onClick={() => void navigate({ to: "/runs", search: {} as never })}>
            {t("runs.clear")}
          </Button>
        )}
      </div>
      {chosen.length === 0 && rows.length > 0 && <p className={`muted ${classes.barRoom}`}>{t("runs.tickHint")}</p>}
      <BulkBar
        rows={chosen}
        may={mayControl}
        onUntick={(ids) => setTicked((now) => new Set([...now].filter((id) => !ids.includes(id))))}
      />
      {runs.isPending ? <Waiting /> : <RunTable rows={rows} filtered={filtered} ticked={ticked} onTick={setTicked} />}
      <MoreRows of={runs} />
    </PageFrame>
  );
}
