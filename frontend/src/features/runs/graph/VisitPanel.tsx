import { Button } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { Said } from "@/shared/ui/Said";
import { StateIcon } from "@/shared/ui/StateIcon";
import { foldSteps } from "../fold";
import { OutputView } from "../view/OutputView";
import { VisitCard } from "../view/VisitCard";
import runClasses from "../view/Run.module.css";
import { AskedView } from "./AskedView";
import { CallName } from "./CallName";
import type { RunGraph } from "./definition";
import { type GraphFold, type GraphVisit, isOpen } from "./fold";
import { ForkMenu } from "./ForkMenu";
import classes from "./Graph.module.css";
import { InsideList } from "./InsideList";
import { NodeError, OpenInside } from "./NodeError";
import { QuestionCard } from "./QuestionCard";
import { SaidText } from "./SaidText";
import { StateDiff } from "./StateView";
import { stateAfter, stateBefore } from "./state";
import { durationOf, messageOf } from "./visits";
import { TurnPicker } from "./TurnPicker";
import type { RunControl } from "./useRunControl";
import { numberOf } from "./visitNumbers";

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={runClasses.part} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Took({ visit }: { visit: GraphVisit }) {
  const format = useFormat();
  const running = visit.state === "running";
  const now = useNow(100, running);
  const took = durationOf(visit, running ? now : undefined);
  if (took === null) return null;
  return <span className={`muted small ${classes.time}`}>{format.duration(took)}</span>;
}

interface Props {
  run: string;
  graph: RunGraph;
  fold: GraphFold;
  status: string;
  past: boolean;
  visit: GraphVisit;
  control: RunControl;
  may: boolean;
  onPick: (id: string) => void;
  onFork: (run: string) => void;
  /** Where the step's settings are mended. */
  mend?: ReactNode;
  /** Shows what went in, or what came out, alone. */
  part?: "input" | "output";
}

/** One visit of a node: what it was asked, what it said, its requests, the state before and after. */
export function VisitPanel({ run, graph, fold, status, past, visit, control, may, onPick, onFork, mend, part }: Props) {
  const { t } = useTranslation();
  const visits = fold.visitsOf(visit.node);
  const number = numberOf(fold, visit);
  const steps = foldSteps(visit.steps);
  const node = graph.nodes.find(({ name }) => name === visit.node);
  const top = visit.path.length === 0;
  const paused = status === "paused" && !past && may && top && !visit.takenBack;
  const ended = !isOpen(visit) && visit.state !== "skipped";
  const inside = fold.order.filter((one) => one.id.startsWith(`${visit.id}/`) || one.id.startsWith(`${visit.id}[`));
  const finished = visit.state === "finished" && top;
  // A visit's state stays as it was until somebody changes a value or goes back.
  const [before, after] = useMemo(
    () => [stateBefore(graph, fold, visit), finished ? stateAfter(graph, fold, visit) : null],
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [graph, fold, visit, finished, fold.changes],
  );
  return (
    <div className={classes.stack}>
      <div className="row">
        <StateIcon status={visit.state} word />
        <Took visit={visit} />
        <span className="grow" />
        <span className="muted small">
          {node && <CallName call={node.call} />} ·{" "}
          {number === null ? t("run.visit.takenBack") : t("run.visit.number", { id: number })}
        </span>
      </div>
      {visits.length > 1 && visits.includes(visit) && <TurnPicker visits={visits} visit={visit} onPick={onPick} />}
      {part !== "output" && visit.parents.length > 0 && (
        <p className="muted small">
          {t("run.visit.follows")}{" "}
          {visit.parents.map((parent, index) => (
            <span key={parent}>
              {index > 0 && ", "}
              <button type="button" className={classes.link} onClick={() => onPick(parent)}>
                {fold.visits.get(parent)?.node ?? parent}
              </button>
            </span>
          ))}
        </p>
      )}
      {visit.takenBack && <p className="muted">{t("run.visit.wasTakenBack")}</p>}
      {visit.reason === "stopped" && <p className="muted">{t("run.visit.stopped")}</p>}
      {visit.error && (past || !fold.error || !top) && (
        <NodeError error={visit.error} hint={paused && visit.state === "paused" ? t("run.debug.mendHint") : undefined}>
          {visit.error.graph ? <OpenInside run={run} graph={visit.error.graph} node={visit.node} /> : mend}
        </NodeError>
      )}
      {part === "output" && visit.error && !past && fold.error && top && (
        <p className={classes.failedWith}>
          <Said text={messageOf(visit.error)} />
        </p>
      )}
      {past && visit.state === "waiting" && <QuestionCard key={visit.id} run={run} visit={visit} past />}
      {may && (
        <div className={classes.actions}>
          {paused && visit.state === "paused" && (
            <Button
              size="compact-sm"
              disabled={control.pending}
              onClick={() => control.send({ command: "step_over", visit: visit.id })}
            >
              {t(visit.error ? "run.debug.again" : "run.debug.stepThisOne")}
            </Button>
          )}
          {paused && visit.state === "finished" && (
            <Button
              size="compact-sm"
              variant="default"
              disabled={control.pending}
              onClick={() => control.send({ command: "restore_step", visit: visit.id })}
            >
              {t("run.debug.backTo")}
            </Button>
          )}
          {top && ended && !visit.takenBack && <ForkMenu run={run} visit={visit.id} onFork={onFork} />}
        </div>
      )}
      {part !== "output" && <AskedView key={visit.id} run={run} visit={visit} past={past} />}
      {part === "input" && graph.nodes.length > 0 && top && (
        <Section title={t("run.debug.stateBefore")}>
          <StateDiff run={run} before={before} after={null} />
        </Section>
      )}
      {part !== "input" && steps.length > 0 && (
        <Section title={t("run.stepsTaken")}>
          <ol className={runClasses.visits}>
            {steps.map((step, index) => (
              <VisitCard
                key={index}
                run={run}
                // The last answer is the one to look at where something failed.
                expanded={visit.error !== null && index === steps.length - 1}
                // A request that ended well is not what failed, whatever was to be made of its answer.
                visit={visit.error && step.state === "running" ? { ...step, state: "failed" } : step}
              />
            ))}
          </ol>
        </Section>
      )}
      {part !== "input" && visit.text !== "" && (
        <Section title={t("run.visit.said")}>
          <SaidText key={visit.id} run={run} visit={visit} />
        </Section>
      )}
      {part !== "input" && visit.output !== undefined && visit.output !== null && (
        <Section title={t("run.output")}>
          <OutputView run={run} output={visit.output} />
        </Section>
      )}
      {part !== "input" && top && graph.nodes.length > 0 && (part === undefined || after) && (
        <Section title={t(after ? "run.debug.stateChange" : "run.debug.stateBefore")}>
          <StateDiff
            run={run}
            before={before}
            after={after}
            editable={paused && visit.state === "finished" ? { visit: visit.id, delta: visit.delta } : undefined}
          />
        </Section>
      )}
      {part !== "input" && inside.length > 0 && (
        <Section title={t("run.visit.inside")}>
          <InsideList visits={inside} fold={fold} onPick={onPick} />
        </Section>
      )}
      {part !== "input" && visit.state === "queued" && <p className="muted">{t("run.visit.notYet")}</p>}
    </div>
  );
}
