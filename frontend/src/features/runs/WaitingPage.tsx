import { Anchor, Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { cursorOf } from "@/shared/api/cursor";
import type { RunRow } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { useTitle } from "@/shared/hooks/useTitle";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage } from "@/shared/ui/PlainPage";
import table from "@/shared/ui/Table.module.css";
import { Waiting } from "@/shared/ui/Waiting";
import classes from "./graph/Graph.module.css";
import { lostDrafts, useAnswerDrafts } from "./graph/answerDrafts";
import { QuestionList } from "./graph/QuestionList";
import { questionsOf } from "./requests/questionList";
import { runList } from "./requests/runList";
import { useLiveRuns } from "./useLiveRuns";

const SOON_MS = 400;

function Questions({ row }: { row: RunRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const asked = useQuery({ queryKey: ["runs", "questions", row.id], queryFn: () => questionsOf(row.id), staleTime: 0 });
  const waits = row.status === "waiting";
  // The run goes on, and may ask the next thing.
  const look = () => void setTimeout(() => void asked.refetch(), SOON_MS);
  return (
    <li className={classes.stack}>
      <div className="row">
        <Anchor component={Link} to="/runs/$id" params={{ id: row.id } as never} size="sm" fw={600}>
          {row.name}
        </Anchor>
        <span className="muted small">
          {format.ago(row.created_at)} · {row.user ?? "–"}
        </span>
      </div>
      {asked.isPending && <Waiting />}
      {asked.data && (
        <QuestionList run={row.id} status={row.status} questions={waits ? asked.data : []} onAnswered={look} />
      )}
      {waits && asked.data?.length === 0 && <p className="muted">{t("run.ask.gone")}</p>}
    </li>
  );
}

/** What runs ask people just now, answered in place. */
export function WaitingPage() {
  const { t } = useTranslation();
  useTitle(t("run.ask.title"));
  const changes = useLiveRuns();
  const drafts = useAnswerDrafts((state) => state.drafts);
  const runs = useInfiniteQuery({
    queryKey: ["runs", "waiting"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => runList({ status: "waiting", cursor: pageParam }),
    getNextPageParam: (last) => cursorOf(last.next),
  });
  if (runs.error && !runs.data) return <FailedPage error={runs.error} />;
  const read = runs.data?.pages.flatMap((page) => page.results) ?? [];
  const known = new Set(read.map(({ id }) => id));
  const fresh = [...changes.values()].filter(({ id }) => !known.has(id));
  // A run that waits for nobody any more stays while it holds what one had typed for it.
  const rows = [...fresh, ...read.map((row) => changes.get(row.id) ?? row)].filter(
    ({ id, status }) => status === "waiting" || lostDrafts(drafts, id, []).length > 0,
  );
  return (
    <PageFrame title={t("run.ask.title")} intro={t("run.ask.intro")} narrow>
      {runs.isPending ? (
        <Waiting />
      ) : (
        rows.length === 0 && (
          <div className={table.wrap}>
            <p className={table.nothing}>
              {t("run.ask.none")}
              <br />
              {t("run.ask.how")}
            </p>
          </div>
        )
      )}
      <ul className={classes.questions}>
        {rows.map((row) => (
          <Questions key={row.id} row={row} />
        ))}
      </ul>
      {runs.hasNextPage && (
        <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          {t("common.more")}
        </Button>
      )}
    </PageFrame>
  );
}
