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
import { toolList } from "../requests/toolList";
import { EmptyTools } from "./EmptyTools";
import { ImportTool } from "./ImportTool";
import { NewTool } from "./NewTool";
import { ToolTable } from "./ToolTable";

const STATES: readonly ToolFilter[] = ["draft", "published", "changed", "faulty"];

function useToolSearch() {
  const { search = "", state } = useSearch({ strict: false }) as { search?: string; state?: ToolFilter };
  const navigate = useNavigate();
  const [text, setText] = useState(search);
  const settled = useDebounced(text, 200);
  useEffect(() => {
    if (settled !== search)
      void navigate({
        to: "/tools",
        search: (old: Record<string, string | undefined>) => ({ ...old, search: settled || undefined }),
        replace: true,
      } as never);
  }, [settled, search, navigate]);
  const setState = (value: string | null) =>
    void navigate({
      to: "/tools",
      search: (old: Record<string, string | undefined>) => ({ ...old, state: value ?? undefined }),
      replace: true,
    } as never);
  return { search, text, setText, state, setState };
}

export function ToolsPage() {
  const { t } = useTranslation();
  const mayWrite = useMay("tools.write");
  const { search, text, setText, state, setState } = useToolSearch();
  const [dialog, setDialog] = useState<"new" | "import" | null>(null);
  const tools = useInfiniteQuery({
    queryKey: ["tools", "list", search, state],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) => toolList({ search: search || undefined, state, cursor: pageParam }),
    getNextPageParam: (last) => cursorOf(last.next),
    refetchInterval: 15_000,
  });
  useTitle(t("places.tools"));
  if (tools.error && !tools.data) return <FailedPage error={tools.error} />;
  const rows = tools.data?.pages.flatMap((page) => page.results) ?? [];
  const none = tools.data && rows.length === 0 && !search && !state;
  const actions = mayWrite && !none && (
    <>
      <Button variant="default" leftSection={<IconFileImport size={15} />} onClick={() => setDialog("import")}>
        {t("tools.import")}
      </Button>
      <Button leftSection={<IconPlus size={15} />} onClick={() => setDialog("new")}>
        {t("tools.new")}
      </Button>
    </>
  );
  return (
    <PageFrame title={t("places.tools")} actions={actions} intro={t("tools.intro")}>
      {dialog === "new" && <NewTool onClose={() => setDialog(null)} />}
      {dialog === "import" && <ImportTool onClose={() => setDialog(null)} />}
      {none ? (
        <EmptyTools onNew={() => setDialog("new")} onImport={() => setDialog("import")} />
      ) : (
        <>
          <div className="row">
            <TextInput
              value={text}
              onChange={(e) => setText(e.currentTarget.value)}
              placeholder={t("tools.search")}
              aria-label={t("tools.search")}
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
          {tools.isPending ? <Waiting /> : <ToolTable rows={rows} />}
          {tools.hasNextPage && (
            <Button variant="default" loading={tools.isFetchingNextPage} onClick={() => void tools.fetchNextPage()}>
              {t("common.more")}
            </Button>
          )}
        </>
      )}
    </PageFrame>
  );
}
