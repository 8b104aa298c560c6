import { Anchor, SegmentedControl } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { RunRefusals } from "@/features/runs/view/Refusal";
import { RunResult } from "@/features/runs/view/RunResult";
import { TakeValueContext } from "@/features/runs/view/TakeValue";
import { useFormat } from "@/shared/hooks/useFormat";
import { SaveAsTest } from "@/shared/savedTests/SaveAsTest";
import { TestList } from "@/shared/savedTests/TestList";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { StateIcon } from "@/shared/ui/StateIcon";
import { useEditor } from "../EditorContext";
import { PaneHead } from "@/shared/editor/PaneHead";
import { ArgumentsForm } from "./ArgumentsForm";
import { useRunStart } from "./RunStart";
import { useTakeValue } from "./useTakeValue";
import classes from "./RunPanel.module.css";

/** The run that is shown: its state, and everything that happened. */
function CurrentRun({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { journal, state } = useRunStart();
  const goTo = useEditor((store) => store.goTo);
  const take = useTakeValue();
  const { view } = journal;
  const mend = (path: string) => {
    if (path === "params") document.querySelector<HTMLElement>("[data-arguments] :is(input, textarea)")?.focus();
    else goTo({ path, line: 1, column: 1, to: "form" });
  };
  const status = state === "stopping" ? "stopping" : view.status;
  return (
    <section className={classes.run} aria-label={t("run.thisRun")}>
      <div className={classes.status} role="status" aria-live="polite" data-testid="run-status">
        <StateIcon status={status} word />
        {view.done && <RunRefusals visits={view.visits} />}
        {view.durationMs !== null && <span className="muted">{format.duration(view.durationMs)}</span>}
        {view.environment && <span className="muted">{view.environment}</span>}
        <span className="grow" />
        <Anchor component={Link} to="/runs/$id" params={{ id: runId } as never} size="sm">
          {t("run.open")}
        </Anchor>
      </div>
      <TakeValueContext value={take}>
        <RunResult run={runId} view={view} onGoTo={mend} />
      </TakeValueContext>
    </section>
  );
}

/** The tool's saved tests; the run that is shown can become one. */
function Tests() {
  const { runId, journal, state } = useRunStart();
  const { run, view } = journal;
  const ended = runId !== null && run && view.done && state === "idle";
  return <TestList>{ended && <SaveAsTest place="tools" run={{ ...run, status: view.status }} small here />}</TestList>;
}

/** The inputs, Run, and the steps as they happen. */
function Run() {
  const { t } = useTranslation();
  const { runId, error, journal, may } = useRunStart();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) place.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return (
    <>
      {may && <ArgumentsForm />}
      <div ref={place}>
        <ErrorLine error={error ?? journal.error} />
      </div>
      {runId && !journal.error ? (
        <CurrentRun key={runId} runId={runId} />
      ) : (
        <div className={classes.none}>
          <IconPlayerPlay size={20} aria-hidden="true" />
          <p>{may ? t("run.nothingYet") : t("run.mayNot")}</p>
        </div>
      )}
    </>
  );
}

/** Trying the tool out: a run now, and the runs that were saved as tests. */
export function RunPanel() {
  const { t } = useTranslation();
  const { state, missed } = useRunStart();
  const { show } = useSearch({ strict: false }) as { show?: string };
  const [tab, setTab] = useState(show === "tests" ? "tests" : "run");
  useEffect(() => {
    if (state === "starting" || missed > 0) setTab("run");
  }, [state, missed]);
  return (
    <>
      <PaneHead title={t("views.run")}>
        <SegmentedControl
          size="xs"
          value={tab}
          onChange={setTab}
          aria-label={t("views.run")}
          data={[
            { value: "run", label: t("tests.run") },
            { value: "tests", label: t("tests.title") },
          ]}
        />
      </PaneHead>
      <div className={classes.panel}>{tab === "run" ? <Run /> : <Tests />}</div>
    </>
  );
}
