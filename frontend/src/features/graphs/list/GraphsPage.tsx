import { Button, Select, TextInput } from "@mantine/core";
import { IconFileImport, IconPlus, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { cursorOf } from "@/shared/api/cursor";
import type { ToolFilter } from "@/shared/api/shapes";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { FailedPage } from "@/shared/ui/PlainPage";
import { PageFrame } from "@/shared/ui/PageFrame";
import { Waiting } from "@/shared/ui/Waiting";
import { graphList } from "../requests/graphRequests";
import { EmptyGraphs } from "./EmptyGraphs";
import { ImportGraph } from "./ImportGraph";
import { NewGraph } from "./NewGraph";
import { GraphTable } from "./GraphTable";

const STATES: readonly ToolFilter[] = ["draft", "published", "changed", "faulty"];

function useGraphSearch() {
  const { search = "", state } = useSearch({ strict: false }) as { search?: string; state?: ToolFilter };
  const navigate = useNavigate();
  const [text, setText] = useState(search);
  const settled = useDebounced(text, 200);
  useEffect(() => {
    if (settled !== search)
      void navigate({
        to: "/graphs",
        search: (old: Record<string, string | undefined>) => ({ ...old, search: settled || undefined }),
        replace: true,
      } as never);
  }, [settled, search, navigate]);
  const setState = (value: string | null) =>
    void navigate({
      to: "/graphs",
      search: (old: Record<string, string | undefined>) => ({ ...old, state: value ?? undefined }),
      replace: true,
    } as never);
  return { search, text, setText, state, setState };
}

export function GraphsPage() {
  const { t } = useTranslation();
  const mayWrite = useMay("graphs.write");
  const { search, text, setText, state, setState } = useGraphSearch();
  const [dialog, setDialog] = useState<"new" | "import" | null>(null);
  const graphs = useInfiniteQuery({
    queryKey: ["graphs", "list", search, state],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) => graphList({ search: search || undefined, state, cursor: pageParam }),
    getNextPageParam: (last) => cursorOf(last.next),
    refetchInterval: 15_000,
  });
  useTitle(t("places.graphs"));
  if (graphs.error && !graphs.data) return <FailedPage error={graphs.error} />;
  const rows = graphs.data?.pages.flatMap((page) => page.results) ?? [];
  const none = graphs.data && rows.length === 0 && !search && !state;
  const actions = mayWrite && !none && (
    <>
      <Button variant="default" leftSection={<IconFileImport size={15} />} onClick={() => setDialog("import")}>
        {t("graphs.import")}
      </Button>
      <Button leftSection={<IconPlus size={15} />} onClick={() => setDialog("new")}>
        {t("graphs.new")}
      </Button>
    </>
  );
  return (
    <PageFrame title={t("places.graphs")} actions={actions} intro={t("graphs.intro")}>
      {dialog === "new" && <NewGraph onClose={() => setDialog(null)} />}
      {dialog === "import" && <ImportGraph onClose={() => setDialog(null)} />}
      {none ? (
        <EmptyGraphs onNew={() => setDialog("new")} onImport={() => setDialog("import")} />
      ) : (
        <>
          <div className="row">
            <TextInput
              value={text}
              onChange={(e) => setText(e.currentTarget.value)}
              placeholder={t("graphs.search")}
              aria-label={t("graphs.search")}
              w={280}
              leftSection={<IconSearch size={15} />}
              type="search"
            />
            <Select
              data={STATES.map((value) => ({ value, label: t(`tools.state.${value}`) }))}
              value={state ?? null}
              onChange={setState}
              clearable
              w={180}
              placeholder={t("tools.anyState")}
              aria-label={t("tools.stateFilter")}
              clearButtonProps={{ "aria-label": t("common.clear") }}
            />
          </div>
          {graphs.isPending ? <Waiting /> : <GraphTable rows={rows} />}
          {graphs.hasNextPage && (
            <Button variant="default" loading={graphs.isFetchingNextPage} onClick={() => void graphs.fetchNextPage()}>
              {t("common.more")}
            </Button>
          )}
        </>
      )}
    </PageFrame>
  );
}
