import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CutValue } from "../fold";
import { AnyValue } from "../view/AnyValue";
import { ShowAll, useWholeText } from "../view/CutText";
import runClasses from "../view/Run.module.css";
import { type AskedMessage, beginningOf, calledWith, type Conversation, conversationsOf } from "./asked";
import classes from "./Asked.module.css";
import { useAsked } from "./useAsked";
import type { GraphVisit } from "./visits";

/** A text of which the beginning is shown where it is long, and all of it when asked for. */
function Folded({ run, text }: { run: string; text: string | CutValue }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const whole = useWholeText(run, text);
  const begin = beginningOf(whole.text);
  const folded = begin !== null && !all;
  return (
    <>
      <p className={classes.text}>{folded ? `${begin}…` : whole.text}</p>
      {begin !== null && (
        <button type="button" className={runClasses.more} onClick={() => setAll(!all)}>
          {all ? t("tree.less") : t("tree.all", { count: whole.text.length })}
        </button>
      )}
      {!folded && <ShowAll whole={whole} />}
    </>
  );
}

const ROLES = ["system", "user", "assistant"] as const;

function Message({ run, message }: { run: string; message: AskedMessage }) {
  const { t } = useTranslation();
  const known = ROLES.find((role) => role === message.role);
  const who = known ? t(`run.asked.role.${known}`) : message.role;
  return (
    <li className={classes.message} data-role={message.role}>
      <span className="small muted">
        {message.tool === null ? who : t("run.asked.answerOf", { name: message.tool })}
      </span>
      {message.content !== "" && <Folded run={run} text={message.content} />}
      {message.calls.map((call, index) => (
        <div key={index} className={classes.call}>
          <span className="small">{t("run.asked.calls", { name: call.name })}</span>
          <Folded run={run} text={call.arguments} />
        </div>
      ))}
    </li>
  );
}

function Asked({ run, conversation }: { run: string; conversation: Conversation }) {
  const { t } = useTranslation();
  const { provider, model, requests, offered, messages } = conversation;
  const title = t("run.asked.title");
  return (
    <section className={runClasses.part} aria-label={title}>
      <div className={runClasses.partHead}>
        <h2 className={classes.title}>{title}</h2>
        <span className="small muted">
          {model}
          {provider !== model && ` (${provider})`} · {t("run.asked.requests", { count: requests })}
        </span>
      </div>
      {offered.length > 0 && <p className="small muted">{t("run.asked.offered", { names: offered.join(", ") })}</p>}
      <ol className={classes.messages}>
        {messages.map((message, index) => (
          <Message key={index} run={run} message={message} />
        ))}
      </ol>
    </section>
  );
}

function Called({ run, input }: { run: string; input: unknown }) {
  const { t } = useTranslation();
  const called = calledWith(input);
  if (!called) return null;
  const title = t("run.asked.with");
  const { tool, graph, items, values, cut } = called;
  const nothing = items === undefined && values.length === 0 && cut.length === 0;
  return (
    <section className={runClasses.part} aria-label={title}>
      <div className={runClasses.partHead}>
        <h2 className={classes.title}>{title}</h2>
        {(tool ?? graph) && (
          <span className="small muted">
            {t(`runs.kindOf.${tool ? "tool" : "graph"}`)} {tool ?? graph}
          </span>
        )}
      </div>
      {nothing && <p className="muted">{t("run.asked.nothing")}</p>}
      {items !== undefined && (
        <>
          <span className="small muted">{t("run.asked.items")}</span>
          <div className={runClasses.box}>
            <AnyValue run={run} value={items} label={t("run.asked.items")} />
          </div>
          {values.length > 0 && <span className="small muted">{t("run.asked.each")}</span>}
        </>
      )}
      {values.length > 0 && (
        <dl className={classes.values}>
          {values.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <AnyValue run={run} value={value} label={name} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {cut.map((value, index) => (
        <div key={index} className={runClasses.box}>
          <AnyValue run={run} value={value} label={title} />
        </div>
      ))}
    </section>
  );
}

/** What a step was called with, and the messages that it sent to models. */
export function AskedView({ run, visit, past }: { run: string; visit: GraphVisit; past: boolean }) {
  const { input, asked } = useAsked(run, visit, past);
  return (
    <>
      <Called run={run} input={input} />
      {conversationsOf(asked).map((conversation, index) => (
        <Asked key={index} run={run} conversation={conversation} />
      ))}
    </>
  );
}
