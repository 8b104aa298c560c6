import { Button, MultiSelect, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { cursorOf } from "@/shared/api/cursor";
import type { RunRow, RunStatus } from "@/shared/api/shapes";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { useTitle } from "@/shared/hooks/useTitle";
import { followRuns } from "@/shared/socket/live";
import { FailedPage } from "@/shared/ui/PlainPage";
import { PageFrame } from "@/shared/ui/PageFrame";
import { Waiting } from "@/shared/ui/Waiting";
import { type RunFilters, runList } from "./requests/runList";
import { RunTable } from "./RunTable";
import classes from "./view/Run.module.css";

const STATUSES: RunStatus[] = ["queued", "running", "waiting", "paused", "stopping", "finished", "failed", "cancelled"];
type Search = Partial<Record<"kind" | "name" | "status" | "user" | "from" | "to", string>>;

/** The changes of runs that came since the page was read, by id. */
function useLiveRuns(): ReadonlyMap<string, RunRow> {
  const [changes, setChanges] = useState<ReadonlyMap<string, RunRow>>(new Map());
  useEffect(() => {
    const link = followRuns((rows) =>
      setChanges((now) => new Map([...now, ...rows.map((row) => [row.id, row] as const)])),
    );
    return link.close;
  }, []);
  return changes;
}

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
  return <TextInput label={label} value={text} onChange={(e) => setText(e.currentTarget.value)} w={140} type={type} />;
}

function fits(row: RunRow, search: Search): boolean {
  const at = row.created_at.slice(0, 10);
  return (
    (!search.name || row.name.toLowerCase().includes(search.name.toLowerCase())) &&
    (!search.user || row.user === search.user) &&
    (!search.kind || row.kind === search.kind) &&
    (!search.status || search.status.split(",").includes(row.status)) &&
    (!search.from || at >= search.from) &&
    (!search.to || at <= search.to)
  );
}

/** Every run, live; the filters are in the address. */
export function RunsPage() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const changes = useLiveRuns();
  useTitle(t("places.runs"));
  const runs = useInfiniteQuery({
    queryKey: ["runs", search],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) => runList({ ...(search as RunFilters), cursor: pageParam }),
    getNextPageParam: (last) => cursorOf(last.next),
  });
  const set = (name: keyof Search) => (value: string) =>
    void navigate({ to: "/runs", search: { ...search, [name]: value || undefined } as never, replace: true });
  if (runs.error && !runs.data) return <FailedPage error={runs.error} />;
  const read = runs.data?.pages.flatMap((page) => page.results) ?? [];
  const known = new Set(read.map(({ id }) => id));
  const fresh = [...changes.values()]
    .filter((row) => !known.has(row.id))
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
  const rows = [...fresh, ...read.map((row) => changes.get(row.id) ?? row)].filter((row) => fits(row, search));
  const filtered = Object.values(search).some(Boolean);
  return (
    <PageFrame title={t("places.runs")} intro={t("runs.intro")}>
      <div className={classes.filters} role="group" aria-label={t("runs.filters")}>
        <TextFilter key={`n${filtered}`} label={t("runs.name")} value={search.name ?? ""} onSet={set("name")} />
        <MultiSelect
          label={t("runs.status")}
          data={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
          value={search.status?.split(",") ?? []}
          w={180}
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
      {runs.isPending ? <Waiting /> : <RunTable rows={rows} filtered={filtered} />}
      {runs.hasNextPage && (
        <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          {t("common.more")}
        </Button>
      )}
    </PageFrame>
  );
}
