import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { StateIcon } from "@/shared/ui/StateIcon";
import { RunErrorCard } from "../view/RunError";
import type { RunGraph } from "./definition";
import classes from "./Graph.module.css";
import { QuestionList } from "./QuestionList";
import { SayField } from "./SayField";
import { stateNow } from "./state";
import { StreamedText } from "./StreamedText";
import type { GraphRun } from "./useGraphRun";

export interface Message {
  role: string;
  content: string;
}

const isMessage = (value: unknown): value is { role?: unknown; content?: unknown } =>
  typeof value === "object" && value !== null && "content" in value;

/** Whether somebody can talk with a graph: it takes messages, and a step speaks to the user. */
export function isConversation(graph: Pick<RunGraph, "inputs"> & { nodes: { toUser: boolean }[] }): boolean {
  return graph.inputs.includes("messages") && graph.nodes.some(({ toUser }) => toUser);
}

/** What was said so far, for the screen and as the start of the next turn. */
function messagesOf({ graph, fold, row }: GraphRun): Message[] {
  const output = fold.output as { messages?: unknown } | undefined;
  const said = graph && fold.seen > 0 ? stateNow(graph, fold).messages : row.inputs?.messages;
  const all = output?.messages ?? said;
  return (Array.isArray(all) ? all : [])
    .filter(isMessage)
    .map(({ role, content }) => ({ role: String(role ?? "user"), content: String(content ?? "") }));
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
  const messages = state ? messagesOf(state) : [];
  const fold = state?.fold;
  const status = state?.status;
  const busy = status === "running" || status === "queued" || status === "stopping";
  const visits = fold ? [...fold.visits.values()].filter((visit) => !visit.takenBack) : [];
  const streams = visits.filter((visit) => visit.state === "running" && speaking.includes(visit.node) && visit.text);
  const worked = visits.filter((visit) => visit.startedAt && visit.path.length === 0);
  const questions = fold?.questions.length ?? 0;
  const streamed = streams.map(({ text: said }) => said.length).join();
  const latest = useRef({ messages, onSay });
  useEffect(() => {
    latest.current = { messages, onSay };
  });
  const say = useCallback((content: string) => {
    atEnd.current = true;
    const { messages: said, onSay: begin } = latest.current;
    return begin([...said, { role: "user", content }]);
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
            <p>{message.content}</p>
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
