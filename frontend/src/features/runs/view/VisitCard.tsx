import { IconChevronRight, IconCornerDownRight } from "@tabler/icons-react";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { StateIcon } from "@/shared/ui/StateIcon";
import { LinkButton } from "@/shared/ui/LinkButton";
import type { StepVisit } from "../fold";
import { AnswerView } from "./AnswerView";
import { RefusalIcon, RefusalMark } from "./Refusal";
import { missedBy, refusalOf } from "./refusals";
import { RequestView } from "./RequestView";
import { TakeValueContext } from "./TakeValue";
import { VariableList } from "./VariableList";
import classes from "./Run.module.css";

function pathOf(url: string): string {
  return url.replace(/^https?:\/\//, "");
}

function Time({ visit }: { visit: StepVisit }) {
  const format = useFormat();
  const running = visit.state === "running";
  const now = useNow(100, running);
  const ms = running ? Math.max(0, now - new Date(visit.startedAt).getTime()) : visit.durationMs;
  return <span className={`muted small ${classes.time}`}>{ms === null ? "" : format.duration(ms)}</span>;
}

interface Props {
  run: string;
  visit: StepVisit;
  /** Whether it is open until somebody closes it; one that failed is. */
  expanded?: boolean;
  onGoTo?: (path: string) => void;
}

/** One step as it happened. */
export function VisitCard({ run, visit, expanded = false, onGoTo }: Props) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<boolean | null>(null);
  const [part, setPart] = useState<"answer" | "request">("answer");
  const take = useContext(TakeValueContext);
  const open = picked ?? (visit.state === "failed" || expanded);
  const { request, response } = visit;
  const refused = refusalOf(visit);
  const missed = missedBy(visit);
  const name = t("form.stepN", { n: visit.step });
  const shown = part === "request" || !response ? "request" : "answer";
  return (
    <li
      className={classes.visit}
      data-state={visit.state}
      aria-label={visit.call === null ? name : `[${visit.call}] ${name}`}
    >
      <button type="button" className={classes.visitHead} aria-expanded={open} onClick={() => setPicked(!open)}>
        <IconChevronRight size={14} className={classes.chevron} aria-hidden="true" />
        {refused !== null && visit.state === "finished" ? <RefusalIcon /> : <StateIcon status={visit.state} />}
        {visit.call !== null && <span className="mono small muted">[{visit.call}]</span>}
        <b>{name}</b>
        {request && <span className="mono small">{request.method}</span>}
        {request && <span className="mono truncate grow">{pathOf(request.url)}</span>}
        {!request && <span className="grow" />}
        {visit.cached && <span className={classes.pill}>{t("run.cached")}</span>}
        {refused !== null ? (
          <RefusalMark status={refused} />
        ) : (
          response && (
            <span className={classes.pill} data-status={String(response.status)[0]}>
              {response.status}
            </span>
          )
        )}
        <Time visit={visit} />
      </button>
      {visit.variables.length > 0 && <VariableList run={run} variables={visit.variables} />}
      {refused !== null && missed.length > 0 && (
        <p className={classes.because}>{t("run.refusedHint", { status: refused, names: missed.join(", ") })}</p>
      )}
      {visit.jump && (
        <p className={classes.jump}>
          <IconCornerDownRight size={14} aria-hidden="true" />
          {visit.jump.reason === "next"
            ? t("run.wentNext", { n: visit.jump.target })
            : t("run.jumped", { n: visit.jump.target, name: visit.jump.variable ?? "" })}
        </p>
      )}
      {open && (
        <div className={classes.visitBody}>
          <div className="row">
            <button
              type="button"
              className={classes.tab}
              aria-pressed={shown === "answer"}
              disabled={!response}
              onClick={() => setPart("answer")}
            >
              {t("run.answer")}
            </button>
            <button
              type="button"
              className={classes.tab}
              aria-pressed={shown === "request"}
              disabled={!request}
              onClick={() => setPart("request")}
            >
              {t("run.request")}
            </button>
            <span className="grow" />
            {onGoTo && <LinkButton onClick={() => onGoTo(`steps[${visit.step}].url`)}>{t("run.toStep")}</LinkButton>}
          </div>
          {shown === "answer" && response && <AnswerView run={run} response={response} step={visit.step} take={take} />}
          {shown === "request" && request && <RequestView run={run} request={request} />}
          {!request && !response && (
            <p className="muted">{visit.state === "running" ? t("run.notSentYet") : t("run.notSent")}</p>
          )}
        </div>
      )}
    </li>
  );
}
