import { Button, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { StateIcon } from "@/shared/ui/StateIcon";
import { RunErrorCard } from "../view/RunError";
import type { RunGraph } from "./definition";
import classes from "./Graph.module.css";
import { QuestionList } from "./QuestionList";
import { stateNow } from "./state";
import { useStartGate } from "./startGate";
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
  const [text, setText] = useState("");
  const end = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const messages = state ? messagesOf(state) : [];
  const fold = state?.fold;
  const status = state?.status;
  const busy = status === "running" || status === "queued" || status === "stopping";
  const visits = fold ? [...fold.visits.values()].filter((visit) => !visit.takenBack) : [];
  const streams = visits.filter((visit) => visit.state === "running" && speaking.includes(visit.node) && visit.text);
  const worked = visits.filter((visit) => visit.startedAt && visit.path.length === 0);
  const streamed = streams.map(({ text: said }) => said.length).join();
  // Known before this is drawn again: Enter may be there twice by then.
  const sending = useRef(false);
  const turn = useMutation({
    mutationFn: (content: string) => onSay([...messages, { role: "user", content }]),
    onSuccess: () => setText(""),
    onSettled: () => (sending.current = false),
  });
  const starting = useStartGate(({ pending }) => pending);
  useEffect(() => {
    void end.current?.scrollIntoView({ block: "nearest" });
  }, [messages.length, streamed, status]);
  // The next turn is another run: the field is there anew, and goes on being typed into.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const say = (event?: FormEvent) => {
    event?.preventDefault();
    if (!text.trim() || busy || sending.current || useStartGate.getState().pending) return;
    sending.current = true;
    turn.mutate(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!event.repeat) say();
  };
  const who = (role: string) => (role === "user" ? t("run.chat.you") : role === "assistant" ? name : role);
  return (
    <div className={classes.chat}>
      <div className={classes.messages} role="log" aria-label={t("run.chat.title")} tabIndex={0}>
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
            <p>{visit.text}</p>
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
        <div ref={end} />
      </div>
      <form className={classes.say} onSubmit={say}>
        <Textarea
          className="grow"
          ref={field}
          aria-label={t("run.chat.message")}
          placeholder={t("run.chat.message")}
          value={text}
          autosize
          minRows={1}
          maxRows={6}
          disabled={!may}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          leftSection={<IconSend size={14} />}
          loading={turn.isPending || starting}
          disabled={!may || busy || text.trim() === ""}
        >
          {t("run.chat.send")}
        </Button>
      </form>
      <ErrorLine error={turn.error} />
    </div>
  );
}
