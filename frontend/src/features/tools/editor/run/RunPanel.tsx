import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { RunRefusals } from "@/features/runs/view/Refusal";
import { RunResult } from "@/features/runs/view/RunResult";
import { useFormat } from "@/shared/hooks/useFormat";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { StateIcon } from "@/shared/ui/StateIcon";
import { useEditor } from "../EditorContext";
import { PaneHead } from "@/shared/editor/PaneHead";
import { ArgumentsForm } from "./ArgumentsForm";
import { useRunStart } from "./RunStart";
import classes from "./RunPanel.module.css";

/** The run that is shown: its state, and everything that happened. */
function CurrentRun({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { journal, state } = useRunStart();
  const goTo = useEditor((store) => store.goTo);
  const { view } = journal;
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
      <RunResult run={runId} view={view} onGoTo={(path) => goTo({ path, line: 1, column: 1, to: "form" })} />
    </section>
  );
}

/** Test: the inputs, Run, and the steps as they happen. */
export function RunPanel() {
  const { t } = useTranslation();
  const { runId, error, journal, may } = useRunStart();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) place.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return (
    <>
      <PaneHead title={t("views.run")} />
      <div className={classes.panel}>
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
      </div>
    </>
  );
}
