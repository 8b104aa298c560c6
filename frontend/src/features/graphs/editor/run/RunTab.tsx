import { Button, Switch } from "@mantine/core";
import { IconBug, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isConversation } from "@/features/runs/graph/Conversation";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { own } from "@/shared/own";
import { useEditor, useGraph, useUiHandle } from "../context";
import dock from "../dock/Dock.module.css";
import classes from "../Editor.module.css";
import { useFindings } from "../warnings";
import { askedOf, parsed } from "./inputs";
import { Outcome } from "./Outcome";
import { RunFields, useEnvironmentNames } from "./RunFields";
import { Talk } from "./Talk";
import { useStart } from "./useStart";
import { useTyped } from "./useTyped";

/** What takes the focus: a field, or the button that starts. */
const FIRST_FIELD = "textarea, input, button:not([data-aside])";

/** The start of a run at the left, what comes of it at the right; of a graph that talks, the conversation. */
export function RunTab() {
  const { t } = useTranslation();
  const { graph } = useGraph();
  const may = useMay("runs.start");
  const { problems, warnings, hint } = useFindings();
  const unfinished = useEditor((state) => state.problems.length > 0);
  const ui = useUiHandle();
  const names = useEnvironmentNames();
  const [typed, setTyped] = useTyped();
  const [debug, setDebug] = useState(false);
  const start = useStart();
  const talks = isConversation(graph);
  const asked = askedOf(graph, talks);
  const given = asked.filter(({ name }) => (own(typed.values, name) ?? "") !== "");
  const wrong = given.some(({ name, type }) => !parsed(type, own(typed.values, name)!).ok);
  const wanted = (mode: "run" | "debug", more: Record<string, unknown> = {}) => {
    const inputs = given.map(({ name, type }): [string, unknown] => {
      const text = own(typed.values, name)!;
      const result = parsed(type, text);
      return [name, result.ok ? result.value : text];
    });
    const environment = typed.environment && names.includes(typed.environment) ? typed.environment : null;
    return { inputs: { ...Object.fromEntries(inputs), ...more }, environment, mode };
  };
  const form = useRef<HTMLFormElement>(null);
  // What starts a turn of a conversation is its message, whose field takes the focus itself.
  const toMessage = talks && asked.length === 0;
  useEffect(() => {
    if (!toMessage) form.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    // Once, when the tab is opened: later it would leave what is being typed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  if (!may) return <Outcome />;
  const showAll = (
    <button type="button" data-aside className={dock.link} onClick={() => ui.getState().set({ dock: "problems" })}>
      {t("graphs.dock.problems")}
    </button>
  );
  const bad =
    problems.length > 0 ? (
      <p className={classes.problem}>
        {t("graphs.mendFirst", { count: problems.length })} {showAll}
      </p>
    ) : (
      (hint !== undefined || warnings.length > 0) && (
        <p className={classes.warned}>
          {hint ?? t(unfinished ? "graphs.finishFirst" : "graphs.likelyWrong", { count: warnings.length })}{" "}
          {!hint && showAll}
        </p>
      )
    );
  return (
    <div className={dock.run}>
      <form
        ref={form}
        className={dock.start}
        aria-label={t("run.arguments")}
        data-run-form
        // A held Enter is one Enter, in a field as on a button.
        onKeyDown={(event) => {
          if (event.key === "Enter" && event.repeat && !(event.target instanceof HTMLTextAreaElement))
            event.preventDefault();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (talks) form.current?.nextElementSibling?.querySelector("textarea")?.focus();
          else if (!wrong) start.begin(wanted("run"));
        }}
      >
        {asked.length === 0 && !talks && <p className="muted">{t("graphs.noInputs")}</p>}
        <RunFields asked={asked} typed={typed} onChange={setTyped} />
        {bad}
        {talks ? (
          <Switch
            label={t("graphs.debugTalk")}
            description={t("graphs.debugHint")}
            checked={debug}
            onChange={(event) => setDebug(event.currentTarget.checked)}
          />
        ) : (
          <>
            <div className={dock.go}>
              <ErrorLine error={start.error} />
              <Button
                type="submit"
                leftSection={<IconPlayerPlayFilled size={14} />}
                loading={start.busy && start.wanted?.mode !== "debug"}
                disabled={wrong || start.busy}
              >
                {t("graphs.startRun")}
              </Button>
              <Button
                variant="default"
                leftSection={<IconBug size={15} />}
                loading={start.busy && start.wanted?.mode === "debug"}
                disabled={wrong || start.busy}
                onClick={() => start.begin(wanted("debug"))}
              >
                {t("graphs.debug")}
              </Button>
            </div>
            <p className="muted small">{t("graphs.debugHint")}</p>
          </>
        )}
      </form>
      {talks ? (
        <Talk disabled={wrong} onSay={(messages) => start.begun(wanted(debug ? "debug" : "run", { messages }))} />
      ) : (
        <Outcome />
      )}
    </div>
  );
}
