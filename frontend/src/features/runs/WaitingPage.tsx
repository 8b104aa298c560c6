import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RunRow } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { usePages } from "@/shared/hooks/usePages";
import { useTitle } from "@/shared/hooks/useTitle";
import { useSay } from "@/shared/i18n/sentences";
import { MoreRows } from "@/shared/ui/MoreRows";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage } from "@/shared/ui/PlainPage";
import table from "@/shared/ui/Table.module.css";
import { Waiting } from "@/shared/ui/Waiting";
import classes from "./graph/Graph.module.css";
import { AnsweredCard } from "./graph/AnsweredCard";
import { useAnswers } from "./graph/answers";
import { lostDrafts, useAnswerDrafts } from "./graph/answerDrafts";
import { askedIn } from "./graph/questionFields";
import { QuestionList } from "./graph/QuestionList";
import type { GraphVisit } from "./graph/visits";
import { questionsOf } from "./requests/questionList";
import { runList } from "./requests/runList";
import { RunInputs } from "./RunInputs";
import { useLiveRuns } from "./useLiveRuns";

const SOON_MS = 400;

function Questions({ row }: { row: RunRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const say = useSay();
  const asked = useQuery({ queryKey: ["runs", "questions", row.id], queryFn: () => questionsOf(row.id), staleTime: 0 });
  const given = useAnswers((state) => state.given).filter(({ run }) => run === row.id);
  const waits = row.status === "waiting";
  // What one has just answered is asked no more, though it may be read a moment later only.
  const open = (one: GraphVisit) =>
    !given.some(({ visit, asked: text }) => visit === one.id && one.question && askedIn(one.question, say) === text);
  const asks = waits ? (asked.data ?? []).filter(open) : [];
  // The run goes on, and may ask the next thing.
  const look = () => void setTimeout(() => void asked.refetch(), SOON_MS);
  return (
    <li className={classes.stack}>
      <div>
        <div className="row">
          <Anchor component={Link} to="/runs/$id" params={{ id: row.id } as never} size="sm" fw={600}>
            {row.name}
          </Anchor>
          <span className="muted small">
            {format.ago(row.created_at)} · {row.user ?? "–"}
          </span>
        </div>
        <RunInputs text={row.inputs_short} />
      </div>
      {asked.isPending && <Waiting />}
      {given.map((one) => (
        <AnsweredCard key={one.visit} given={one} />
      ))}
      {asked.data && <QuestionList run={row.id} status={row.status} questions={asks} onAnswered={look} />}
      {waits && given.length === 0 && asked.data?.length === 0 && <p className="muted">{t("run.ask.gone")}</p>}
    </li>
  );
}

/** What runs ask people just now, answered in place. */
export function WaitingPage() {
  const { t } = useTranslation();
  useTitle(t("run.ask.title"));
  const changes = useLiveRuns();
  const drafts = useAnswerDrafts((state) => state.drafts);
  const given = useAnswers((state) => state.given);
  const runs = usePages(["runs", "waiting"], (cursor) => runList({ status: "waiting", inputs_short: true, cursor }));
  if (runs.error && !runs.data) return <FailedPage error={runs.error} />;
  const read = runs.rows;
  const known = new Set(read.map(({ id }) => id));
  const fresh = [...changes.values()].filter(({ id }) => !known.has(id));
  // A run that waits for nobody any more stays while it holds what one had typed for it, or just answered.
  const rows = [...fresh, ...read.map((row) => changes.get(row.id) ?? row)].filter(
    ({ id, status }) =>
      status === "waiting" || lostDrafts(drafts, id, []).length > 0 || given.some(({ run }) => run === id),
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
      <MoreRows of={runs} />
    </PageFrame>
  );
}
