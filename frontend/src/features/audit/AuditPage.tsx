import { Select, TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { usePages } from "@/shared/hooks/usePages";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { MoreRows } from "@/shared/ui/MoreRows";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage, ForbiddenPage } from "@/shared/ui/PlainPage";
import { Waiting } from "@/shared/ui/Waiting";
import { ACTIONS, knownAction } from "./actions";
import { AuditTable } from "./AuditTable";
import { auditList } from "./requests/auditList";

interface Filters {
  actor?: string;
  action?: string;
}

/** An action by its words; one that only the address knows is there by its code. */
function ActionFilter({ value, onSet }: { value?: string; onSet: (code: string | null) => void }) {
  const { t } = useTranslation();
  const known = ACTIONS.map((code) => ({ value: code as string, label: t(`audit.did.${code}`) }));
  const data = value && !knownAction(value) ? [{ value, label: value }, ...known] : known;
  return (
    <Select
      data={data}
      value={value ?? null}
      onChange={onSet}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("common.clear") }}
      placeholder={t("audit.anyAction")}
      aria-label={t("audit.action")}
      nothingFoundMessage={t("audit.nothing")}
      w={240}
    />
  );
}

/** Who did what. */
export function AuditPage() {
  const { t } = useTranslation();
  const may = useMay("audit.read");
  const navigate = useNavigate();
  const filters = useSearch({ strict: false }) as Filters;
  const [actor, setActor] = useState(filters.actor ?? "");
  const wanted = useDebounced(actor, 300);
  useTitle(t("places.audit"));
  const { action } = filters;
  const set = (search: Filters) => void navigate({ to: "/audit", search: search as never, replace: true });
  useEffect(() => {
    void navigate({
      to: "/audit",
      search: (now: Filters) => ({ ...now, actor: wanted || undefined }),
      replace: true,
    } as never);
  }, [wanted, navigate]);
  const entries = usePages(["audit", filters], (cursor) => auditList({ ...filters, cursor }), {
    enabled: may,
    keep: true,
  });
  if (!may) return <ForbiddenPage />;
  if (entries.error) return <FailedPage error={entries.error} />;
  const rows = entries.rows;
  return (
    <PageFrame title={t("places.audit")} intro={t("audit.intro")}>
      <div className="row">
        <TextInput
          value={actor}
          onChange={(e) => setActor(e.currentTarget.value)}
          placeholder={t("audit.anybody")}
          aria-label={t("audit.actor")}
          w={200}
        />
        <ActionFilter value={action} onSet={(code) => set({ ...filters, action: code ?? undefined })} />
      </div>
      {entries.isPending ? <Waiting /> : <AuditTable rows={rows} />}
      <MoreRows of={entries} />
    </PageFrame>
  );
}
