import { Button } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type AnswerDraft, lostDrafts, useAnswerDrafts } from "./answerDrafts";
import type { GraphVisit } from "./fold";
import classes from "./Graph.module.css";
import { QuestionCard } from "./QuestionCard";

function Lost({ visit, draft, ended }: { visit: string; draft: AnswerDraft; ended: boolean }) {
  const { t } = useTranslation();
  const lines = [...draft.typed].filter(([, text]) => text.trim());
  return (
    <section className={classes.lost} role="status" aria-label={t("run.ask.from", { node: draft.node })}>
      <IconInfoCircle size={18} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{draft.node}</b> {t(ended ? "run.ask.notAsked" : "run.ask.elsewhere")}
        </p>
        <p className="muted small">{t("run.ask.typed")}</p>
        <p className={classes.typed}>{lines.map(([name, text]) => (name ? `${name}: ${text}` : text)).join("\n")}</p>
      </div>
      <Button size="compact-sm" variant="default" onClick={() => useAnswerDrafts.getState().drop(visit)}>
        {t("run.ask.dismiss")}
      </Button>
    </section>
  );
}

interface Props {
  run: string;
  /** How the run stands: what failed or was stopped took its questions with it. */
  status: string;
  questions: readonly GraphVisit[];
  onAnswered?: () => void;
}

/** What a run asks; what one was typing when somebody else answered stays until it is dismissed. */
export function QuestionList({ run, status, questions, onAnswered }: Props) {
  const drafts = useAnswerDrafts((state) => state.drafts);
  const ended = status === "failed" || status === "cancelled";
  return (
    <>
      {lostDrafts(drafts, run, questions).map(([visit, draft]) => (
        <Lost key={visit} visit={visit} draft={draft} ended={ended} />
      ))}
      {questions.map((one) => (
        <QuestionCard key={one.id} run={run} visit={one} onAnswered={onAnswered} />
      ))}
    </>
  );
}
