import { Anchor, Button, Textarea } from "@mantine/core";
import { IconAlertTriangle, IconHelpCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useOnce } from "@/shared/hooks/useOnce";
import { useSay } from "@/shared/i18n/sentences";
import { useMay } from "@/shared/session/session";
import { Boundary } from "@/shared/ui/Boundary";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { runCommand } from "../requests/runCommand";
import { useAnswerDrafts } from "./answerDrafts";
import { answerText, useAnswers } from "./answers";
import type { GraphVisit, Question } from "./fold";
import classes from "./Graph.module.css";
import { askedIn, fieldsOf, formValue, textOf, type Typed } from "./questionFields";
import { FormFields } from "./QuestionForm";

const NOTHING: Typed = new Map();
/** Under which a plain answer is kept. */
const ANSWER = "";

interface AnswerProps {
  question: Question;
  disabled: boolean;
  pending: boolean;
  typed: Typed;
  onType: (typed: Typed) => void;
  onAnswer: (value: unknown) => void;
}

function AnswerFields({ question, disabled, pending, typed, onType, onAnswer }: AnswerProps) {
  const { t } = useTranslation();
  const form = (value: () => unknown) => (event: FormEvent) => {
    event.preventDefault();
    if (!disabled && !pending) onAnswer(value());
  };
  const send = (
    <Button type="submit" loading={pending} disabled={disabled}>
      {t("run.ask.send")}
    </Button>
  );
  switch (question.kind) {
    case "confirm":
      return (
        <div className="row">
          <Button loading={pending} disabled={disabled} onClick={() => onAnswer(true)}>
            {t("run.ask.yes")}
          </Button>
          <Button variant="default" disabled={disabled || pending} onClick={() => onAnswer(false)}>
            {t("run.ask.no")}
          </Button>
        </div>
      );
    case "choice":
      return (
        <div className="row" style={{ flexWrap: "wrap" }}>
          {(question.choices ?? []).map((choice, index) => (
            <Button key={index} variant="default" disabled={disabled || pending} onClick={() => onAnswer(choice)}>
              {textOf(choice)}
            </Button>
          ))}
        </div>
      );
    case "form": {
      const fields = fieldsOf(question.schema);
      return (
        <form className={classes.form} onSubmit={form(() => formValue(fields, typed))}>
          <FormFields fields={fields} typed={typed} disabled={disabled} onType={onType} />
          <div>{send}</div>
        </form>
      );
    }
    default: {
      const text = typed.get(ANSWER) ?? "";
      return (
        <form className={classes.form} onSubmit={form(() => text)}>
          <Textarea
            label={t("run.ask.answer")}
            value={text}
            disabled={disabled}
            autosize
            minRows={2}
            maxRows={8}
            onChange={(e) => onType(new Map([[ANSWER, e.currentTarget.value]]))}
          />
          <div>{send}</div>
        </form>
      );
    }
  }
}

interface Props {
  run: string;
  visit: GraphVisit;
  /** It is looked at as it was: it can't be answered. */
  past?: boolean;
  onAnswered?: () => void;
}

function Card({ run, visit, past, onAnswered }: Props) {
  const { t } = useTranslation();
  const say = useSay();
  const may = useMay("runs.control");
  const typed = useAnswerDrafts(({ drafts }) => drafts.get(visit.id)?.typed) ?? NOTHING;
  const { type, send, drop } = useAnswerDrafts.getState();
  const answer = useOnce({
    mutationFn: (value: unknown) => runCommand(run, { command: "answer", visit: visit.id, value }),
    onMutate: () => send(visit.id, true),
    onError: () => {
      send(visit.id, false);
      // Whoever was slower sees what is asked now.
      onAnswered?.();
    },
    onSuccess: (_, value) => {
      const words = { yes: t("run.ask.yes"), no: t("run.ask.no") };
      const asked = visit.question ? askedIn(visit.question, say) : "";
      const said = { run, visit: visit.id, node: visit.node, asked, answer: answerText(value, words, textOf) };
      useAnswers.getState().add(said);
      drop(visit.id);
      onAnswered?.();
    },
  });
  const question = visit.question;
  if (!question) return null;
  return (
    <section className={classes.question} aria-label={t("run.ask.from", { node: visit.node })}>
      <IconHelpCircle size={18} aria-hidden="true" />
      <div className="grow">
        <p className="muted small">{t("run.ask.from", { node: visit.node })}</p>
        <p className={classes.asked}>{askedIn(question, say)}</p>
        <AnswerFields
          question={question}
          disabled={!may || past === true}
          pending={answer.isPending || answer.isSuccess}
          typed={typed}
          onType={(next) => type(visit.id, { run, node: visit.node, typed: next })}
          onAnswer={(value) => answer.mutate(value)}
        />
        {!may && <p className="muted small">{t("run.ask.mayNot")}</p>}
        <ErrorLine error={answer.error} />
      </div>
    </section>
  );
}

/** What a run asks a person, and the way to answer; where it can't be shown, why, and the way to the run. */
export function QuestionCard(props: Props) {
  const { t } = useTranslation();
  const { run, visit } = props;
  const broken = (error: unknown) => (
    <section className={classes.question} role="alert" aria-label={t("run.ask.from", { node: visit.node })}>
      <IconAlertTriangle size={18} aria-hidden="true" />
      <div className="grow">
        <p>{t("run.ask.broken", { node: visit.node })}</p>
        <p className="muted small">{error instanceof Error ? error.message : String(error)}</p>
        <Anchor component={Link} to="/runs/$id" params={{ id: run } as never} size="sm">
          {t("run.open")}
        </Anchor>
      </div>
    </section>
  );
  return (
    <Boundary fallback={broken}>
      <Card {...props} />
    </Boundary>
  );
}
