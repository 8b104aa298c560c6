import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { StateIcon } from "@/shared/ui/StateIcon";
import { type CutValue, isCut } from "../fold";
import { valueRead } from "../requests/valueRead";
import { ShowAll, useWholeText } from "../view/CutText";
import { RunErrorCard } from "../view/RunError";
import type { RunGraph } from "./definition";
import classes from "./Graph.module.css";
import { QuestionList } from "./QuestionList";
import { hasGaps, type Message, messagesIn, textOf, whole, withoutGaps } from "./said";
import { SayField } from "./SayField";
import { stateNow } from "./state";
import { StreamedText } from "./StreamedText";
import type { GraphRun } from "./useGraphRun";

export type { Message };

/** Whether somebody can talk with a graph: it takes messages, and a step speaks to the user. */
export function isConversation(graph: Pick<RunGraph, "inputs"> & { nodes: { toUser: boolean }[] }): boolean {
  return graph.inputs.includes("messages") && graph.nodes.some(({ toUser }) => toUser);
}

/** What was said so far, as it is known: whole in the row of a run that has ended, in its events perhaps cut off. */
function saidIn({ graph, fold, row }: GraphRun): unknown {
  const known = (output: unknown) => (output as { messages?: unknown } | null | undefined)?.messages;
  const said = graph && fold.seen > 0 ? stateNow(graph, fold).messages : row.inputs?.messages;
  return known(row.output) ?? known(fold.output) ?? said;
}

const readIn = (run: string) => (cut: CutValue) => valueRead(cut.run ?? run, cut.value);

/** The messages so far; those of a list that came cut off once they were read. */
function useMessages(state: GraphRun | null): Message[] {
  const said = state ? saidIn(state) : [];
  const run = state?.row.id ?? "";
  const gaps = hasGaps(said);
  const cuts = gaps ? [said].flat().map((item) => (isCut(item) ? `${item.run ?? ""}:${item.value}` : "")) : [];
  const filled = useQuery({
    queryKey: ["runs", run, "said", cuts],
    queryFn: () => withoutGaps(said, readIn(run)),
    enabled: gaps,
    staleTime: Infinity,
  });
  return messagesIn(gaps ? (filled.data ?? said) : said);
}

function Said({ run, content }: { run: string; content: unknown }) {
  const text = useWholeText(run, isCut(content) ? content : textOf(content));
  return (
    <>
      <p>{text.text}</p>
      <ShowAll whole={text} />
    </>
  );
}

interface Props {
  /** The name of the graph that answers. */
  name: string;
  /** The steps that speak to the user. */
  speaking: readonly string[];
  /** The turn that runs or ran last, where there is one. */
  state: GraphRun | null;
  disabled?: boolean;
  /** Begins a turn: a run that starts with these messages. */
  onSay: (messages: Message[]) => Promise<void>;
  onPick: (visit: string) => void;
}

/** Talks with a graph: each turn is a run. */
export function Conversation({ name, speaking, state, disabled, onSay, onPick }: Props) {
  const { t } = useTranslation();
  const may = useMay("runs.start") && !disabled;
  const log = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const messages = useMessages(state);
  const fold = state?.fold;
  const status = state?.status;
  const busy = status === "running" || status === "queued" || status === "stopping";
  const visits = fold ? [...fold.visits.values()].filter((visit) => !visit.takenBack) : [];
  const streams = visits.filter((visit) => visit.state === "running" && speaking.includes(visit.node) && visit.text);
  const worked = visits.filter((visit) => visit.startedAt && visit.path.length === 0);
  const questions = fold?.questions.length ?? 0;
  const streamed = streams.map(({ text: said }) => said.length).join();
  const latest = useRef({ state, onSay });
  useEffect(() => {
    latest.current = { state, onSay };
  });
  const say = useCallback(async (content: string) => {
    atEnd.current = true;
    const { state: turn, onSay: begin } = latest.current;
    const read = readIn(turn?.row.id ?? "");
    const said = turn ? await whole(messagesIn(await withoutGaps(saidIn(turn), read)), read) : [];
    return begin([...(said as Message[]), { role: "user", content }]);
  }, []);
  // What is said last stays in view, unless somebody went up to read.
  useLayoutEffect(() => {
    const element = log.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [messages.length, streamed, status, questions]);
  const who = (role: string) => (role === "user" ? t("run.chat.you") : role === "assistant" ? name : role);
  return (
    <div className={classes.chat}>
      <div
        ref={log}
        className={classes.messages}
        role="log"
        aria-label={t("run.chat.title")}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          atEnd.current = scrollTop + clientHeight >= scrollHeight - 24;
        }}
      >
        {messages.length === 0 && streams.length === 0 && <p className="muted">{t("run.chat.none")}</p>}
        {messages.map((message, index) => (
          <div key={index} className={classes.message} data-role={message.role}>
            <span className="small muted">{who(message.role)}</span>
            <Said run={state?.row.id ?? ""} content={message.content} />
          </div>
        ))}
        {streams.map((visit) => (
          <div key={visit.id} className={classes.message} data-role="assistant" data-streaming>
            <span className="small muted">{name}</span>
            <StreamedText text={visit.text} />
          </div>
        ))}
        {worked.length > 0 && (
          <div className={classes.worked} role="group" aria-label={t("run.chat.worked")}>
            {worked.slice(-12).map((visit) => (
              <button key={visit.id} type="button" className={classes.chip} onClick={() => onPick(visit.id)}>
                <StateIcon status={visit.state} size={12} /> {visit.node}
              </button>
            ))}
          </div>
        )}
        {fold?.error && <RunErrorCard error={fold.error} />}
        {state && <QuestionList run={state.row.id} status={state.status} questions={state.fold.questions} />}
      </div>
      <SayField disabled={!may} busy={busy} onSay={say} />
    </div>
  );
}
