import { Button, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { cursorOf } from "@/shared/api/cursor";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { useFormat } from "@/shared/hooks/useFormat";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { FailedPage, ForbiddenPage } from "@/shared/ui/PlainPage";
import { PageFrame } from "@/shared/ui/PageFrame";
import table from "@/shared/ui/Table.module.css";
import { ValueView } from "@/shared/ui/ValueView";
import { Waiting } from "@/shared/ui/Waiting";
import { auditList } from "./requests/auditList";

interface Filters {
  actor?: string;
  action?: string;
}

function Detail({ detail }: { detail: Record<string, unknown> }) {
  const entries = Object.entries(detail);
  if (entries.length === 0) return <span className="muted">–</span>;
  return entries.map(([name, value]) => (
    <div key={name} className="small">
      <span className="muted">{name}: </span>
      <ValueView value={value} label={name} />
    </div>
  ));
}

/** Who did what. */
export function AuditPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const may = useMay("audit.read");
  const navigate = useNavigate();
  const filters = useSearch({ strict: false }) as Filters;
  const [actor, setActor] = useState(filters.actor ?? "");
  const [action, setAction] = useState(filters.action ?? "");
  const wanted = useDebounced(`${actor}\n${action}`, 300);
  useTitle(t("places.audit"));
  useEffect(() => {
    const [who, what] = wanted.split("\n");
    void navigate({
      to: "/audit",
      search: { actor: who || undefined, action: what || undefined } as never,
      replace: true,
    });
  }, [wanted, navigate]);
  const entries = useInfiniteQuery({
    queryKey: ["audit", filters],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    enabled: may,
    queryFn: ({ pageParam }) => auditList({ ...filters, cursor: pageParam }),
    getNextPageParam: (last) => cursorOf(last.next),
  });
  if (!may) return <ForbiddenPage />;
  if (entries.error) return <FailedPage error={entries.error} />;
  const rows = entries.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <PageFrame title={t("places.audit")} intro={t("audit.intro")}>
      <div className="row">
        <TextInput
          value={actor}
          onChange={(e) => setActor(e.currentTarget.value)}
          placeholder={t("audit.actor")}
          aria-label={t("audit.actor")}
          w={200}
        />
        <TextInput
          value={action}
          onChange={(e) => setAction(e.currentTarget.value)}
          placeholder={t("audit.action")}
          aria-label={t("audit.action")}
          w={200}
        />
      </div>
      {entries.isPending ? (
        <Waiting />
      ) : (
        <div className={table.wrap}>
          {rows.length === 0 ? (
            <p className={table.nothing}>{t("audit.nothing")}</p>
          ) : (
            <table className={table.table} aria-label={t("places.audit")}>
              <thead>
                <tr>
                  <th scope="col">{t("audit.at")}</th>
                  <th scope="col">{t("audit.actor")}</th>
                  <th scope="col">{t("audit.action")}</th>
                  <th scope="col">{t("audit.target")}</th>
                  <th scope="col">{t("audit.detail")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id}>
                    <td style={{ whiteSpace: "nowrap" }}>{format.dateTime(row.at)}</td>
                    <td>{row.actor || <span className="muted">{t("history.system")}</span>}</td>
                    <td>
                      <code>{row.action}</code>
                    </td>
                    <td style={{ overflowWrap: "anywhere" }}>{row.target}</td>
                    <td style={{ maxWidth: 420 }}>
                      <Detail detail={row.detail} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
      {entries.hasNextPage && (
        <Button variant="default" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          {t("common.more")}
        </Button>
      )}
    </PageFrame>
  );
}
