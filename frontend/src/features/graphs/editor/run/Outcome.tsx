import { useTranslation } from "react-i18next";
import { QuestionList } from "@/features/runs/graph/QuestionList";
import { SaidText } from "@/features/runs/graph/SaidText";
import { OutputView } from "@/features/runs/view/OutputView";
import { Warnings } from "@/features/runs/view/RunResult";
import runClasses from "@/features/runs/view/Run.module.css";
import { StateIcon } from "@/shared/ui/StateIcon";
import dock from "../dock/Dock.module.css";
import { FailedCard } from "./FailedCard";
import { useWatched, type Watched } from "./watched";

/** The last text that a step says or said to the user. */
function Said({ watched }: { watched: Watched }) {
  const { t } = useTranslation();
  const { graph, fold } = watched.state;
  const speaking = new Set(graph?.nodes.filter(({ toUser }) => toUser).map(({ name }) => name));
  const last = fold.order.findLast((visit) => visit.text && !visit.takenBack && speaking.has(visit.node));
  if (!last) return null;
  return (
    <section className={runClasses.part} aria-label={t("run.says", { node: last.node })}>
      <h2>{t("run.says", { node: last.node })}</h2>
      <SaidText key={last.id} run={watched.state.row.id} visit={last} />
    </section>
  );
}

/** What comes of the watched run: its question, its failure, what it says and what it gives. */
export function Outcome() {
  const { t } = useTranslation();
  const watched = useWatched();
  if (!watched)
    return (
      <div className={dock.outcome}>
        <p className="muted">{t("graphs.nothingYet")}</p>
      </div>
    );
  const { row, fold } = watched.state;
  const at = fold.unfinished.filter((one) => one.state === "running" && one.path.length === 0);
  return (
    <div className={dock.outcome} role="region" aria-label={t("run.comesOf")}>
      <QuestionList run={row.id} status={fold.status} questions={fold.questions} />
      {fold.error && <FailedCard watched={watched} error={fold.error} />}
      <Warnings warnings={fold.warnings} />
      <Said watched={watched} />
      {fold.done && fold.status === "finished" && (
        <section className={runClasses.part} aria-label={t("run.output")}>
          <h2>{t("run.output")}</h2>
          <OutputView run={row.id} output={fold.output ?? row.output} />
        </section>
      )}
      {watched.live && fold.questions.length === 0 && at.length > 0 && (
        <p className="muted row">
          <StateIcon status="running" /> {t("run.at", { nodes: at.map(({ node }) => node).join(", ") })}
        </p>
      )}
      {watched.paused && !watched.past && (
        <p className="muted">{t("graphs.pausedBefore", { nodes: fold.held.map(({ node }) => node).join(", ") })}</p>
      )}
      {fold.done && fold.status === "cancelled" && <p className="muted">{t("run.wasStopped")}</p>}
    </div>
  );
}
