import { Button, Select, TextInput } from "@mantine/core";
import { IconFileImport, IconPlus, IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolFilter } from "@/shared/api/shapes";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { usePages } from "@/shared/hooks/usePages";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { MoreRows } from "@/shared/ui/MoreRows";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage } from "@/shared/ui/PlainPage";
import { Waiting } from "@/shared/ui/Waiting";
import { DocumentTable } from "./DocumentTable";
import { ImportDocument } from "./ImportDocument";
import type { DocumentKind } from "./kind";
import { NewDocument } from "./NewDocument";
import { useNewDocument } from "./newDocument";
import { Starters } from "./Starters";

const STATES: readonly ToolFilter[] = ["draft", "published", "changed", "faulty"];

function useListSearch(kind: DocumentKind["kind"]) {
  const { search = "", state } = useSearch({ strict: false }) as { search?: string; state?: ToolFilter };
  const navigate = useNavigate();
  const [text, setText] = useState(search);
  const settled = useDebounced(text, 200);
  useEffect(() => {
    if (settled !== search)
      void navigate({
        to: `/${kind}`,
        search: (old: Record<string, string | undefined>) => ({ ...old, search: settled || undefined }),
        replace: true,
      } as never);
  }, [kind, settled, search, navigate]);
  const setState = (value: string | null) =>
    void navigate({
      to: `/${kind}`,
      search: (old: Record<string, string | undefined>) => ({ ...old, state: value ?? undefined }),
      replace: true,
    } as never);
  return { search, text, setText, state, setState };
}

/** The list of tools, or of graphs: searched, filtered, and where new ones are made. */
export function DocumentsPage({ of }: { of: DocumentKind }) {
  const { kind } = of;
  const { t } = useTranslation();
  const mayWrite = useMay(`${kind}.write`);
  const { search, text, setText, state, setState } = useListSearch(kind);
  const [dialog, setDialog] = useState<"new" | "import" | null>(null);
  const { wanted, want } = useNewDocument();
  useEffect(() => {
    if (wanted !== kind) return;
    setDialog("new");
    want(null);
  }, [wanted, want, kind]);
  const documents = usePages(
    [kind, "list", search, state],
    (cursor) => of.list({ search: search || undefined, state, cursor }),
    {
      keep: true,
      refetchInterval: 15_000,
    },
  );
  useTitle(t(`places.${kind}`));
  if (documents.error && !documents.data) return <FailedPage error={documents.error} />;
  const rows = documents.rows;
  const none = documents.data && rows.length === 0 && !search && !state;
  const actions = mayWrite && !none && (
    <>
      <Button variant="default" leftSection={<IconFileImport size={15} />} onClick={() => setDialog("import")}>
        {t(`${kind}.import`)}
      </Button>
      <Button leftSection={<IconPlus size={15} />} onClick={() => setDialog("new")}>
        {t(`${kind}.new`)}
      </Button>
    </>
  );
  return (
    <PageFrame title={t(`places.${kind}`)} actions={actions} intro={t(`${kind}.intro`)}>
      {dialog === "new" && <NewDocument of={of} onClose={() => setDialog(null)} />}
      {dialog === "import" && <ImportDocument of={of} onClose={() => setDialog(null)} />}
      {none ? (
        <Starters of={of} onNew={() => setDialog("new")} onImport={() => setDialog("import")} />
      ) : (
        <>
          <div className="row">
            <TextInput
              value={text}
              onChange={(e) => setText(e.currentTarget.value)}
              placeholder={t(`${kind}.search`)}
              aria-label={t(`${kind}.search`)}
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
          {documents.isPending ? <Waiting /> : <DocumentTable kind={kind} rows={rows} />}
          <MoreRows of={documents} />
        </>
      )}
    </PageFrame>
  );
}
