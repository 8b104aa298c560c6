import { useTranslation } from "react-i18next";
import { happened } from "@/features/runs/graph/happened";
import { VirtualRows } from "@/features/runs/graph/VirtualRows";
import { VisitPanel } from "@/features/runs/graph/VisitPanel";
import { StateDiff } from "@/features/runs/graph/StateView";
import { Button } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { useFormat } from "@/shared/hooks/useFormat";
import { useMay } from "@/shared/session/session";
import { ValueView } from "@/shared/ui/ValueView";
import type { RunEvent } from "@/shared/api/shapes";
import type { GraphEdge, GraphNode } from "../../document/graph";
import { type InspectorTab, useEditor, useUi, useUiHandle } from "../context";
import classes from "../Editor.module.css";
import { GoOnButton } from "../run/FailedCard";
import { useWatch, useWatched, type Watched } from "../run/watched";

const TABS: readonly InspectorTab[] = ["settings", "input", "output", "events"];
const ROW = 28;

/** Every event of one step. */
function NodeEvents({ watched, node }: { watched: Watched; node: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { events, count } = watched.state;
  const [picked, setPicked] = useState<RunEvent | null>(null);
  const own = useMemo(
    () => events.filter((event) => event.node === node && event.path.length === 0),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [events, count, node],
  );
  if (own.length === 0) return <p className="muted">{t("run.visit.notVisited")}</p>;
  return (
    <>
      <VirtualRows
        count={own.length}
        height={ROW}
        label={t("run.events")}
        follow={!picked}
        header={
          <div role="row" className={classes.eventRow}>
            <span role="columnheader">#</span>
            <span role="columnheader">{t("run.when")}</span>
            <span role="columnheader">{t("run.event")}</span>
          </div>
        }
        row={(index) => {
          const event = own[index]!;
          return (
            <div role="row" className={classes.eventRow} data-picked={picked === event || undefined}>
              <span role="cell">{event.seq}</span>
              <span role="cell">{format.time(event.at)}</span>
              <span role="cell">
                <button type="button" title={happened(event, t)} onClick={() => setPicked(event)}>
                  {event.type}
                </button>
              </span>
            </div>
          );
        }}
      />
      {picked && <ValueView value={picked.data} label={picked.type} />}
    </>
  );
}

/** What the watched run says about a step, beside its settings. */
export function StepTabs({ node, children }: { node: GraphNode; children: ReactNode }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const panel = useUi((state) => state.panel);
  const watched = useWatched();
  const { watch } = useWatch();
  const mayStart = useMay("runs.start");
  const readOnly = useEditor((state) => state.readOnly);
  if (!watched) return children;
  const { state, inspected, control, past, mayControl } = watched;
  const { visit, fold } = inspected;
  const show = (tab: InspectorTab) => ui.getState().set({ panel: tab });
  const tabs = (
    <div role="tablist" aria-label={t("graphs.inspector")} className={classes.stepTabs}>
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`step-${tab}`}
          aria-selected={panel === tab}
          aria-controls={panel === tab ? "step-panel" : undefined}
          tabIndex={panel === tab ? 0 : -1}
          onClick={() => show(tab)}
          onKeyDown={(event) => {
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (step === 0) return;
            event.preventDefault();
            event.stopPropagation();
            const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]!;
            show(next);
            document.getElementById(`step-${next}`)?.focus();
          }}
        >
          {t(`graphs.stepTabs.${tab}`)}
        </button>
      ))}
    </div>
  );
  const own = visit && (visit.node === node.name || visit.path.length > 0);
  return (
    <>
      {tabs}
      <div id="step-panel" role="tabpanel" aria-labelledby={`step-${panel}`}>
        {panel === "settings" && children}
        {(panel === "input" || panel === "output") && (
          <div className={classes.fields}>
            <h2 className="truncate">{node.name}</h2>
            {own && state.graph ? (
              <VisitPanel
                key={visit.id}
                run={state.row.id}
                graph={state.graph}
                fold={fold}
                status={state.status}
                past={past}
                visit={visit}
                control={control}
                may={mayControl}
                onPick={inspected.pick}
                onFork={watch}
                part={panel}
                mend={
                  <>
                    {!readOnly && (
                      <Button size="compact-sm" variant="default" onClick={() => show("settings")}>
                        {t("graphs.mendSettings")}
                      </Button>
                    )}
                    {mayStart && visit.path.length === 0 && <GoOnButton watched={watched} visit={visit.id} />}
                  </>
                }
              />
            ) : (
              <p className="muted">{t("run.visit.notVisited")}</p>
            )}
          </div>
        )}
        {panel === "events" && (
          <div className={classes.fields}>
            <h2 className="truncate">{node.name}</h2>
            <NodeEvents watched={watched} node={node.name} />
          </div>
        )}
      </div>
    </>
  );
}

/** What went over an edge in the watched run. */
export function WentThrough({ edge }: { edge: GraphEdge }) {
  const { t } = useTranslation();
  const watched = useWatched();
  if (!watched) return null;
  const { fold, pick } = watched.inspected;
  const taken = fold.taken.filter(({ source, target }) => source === edge.source && edge.targets.includes(target));
  const last = taken.at(-1);
  const from = last && fold.visits.get(last.from);
  return (
    <section className={classes.went} aria-label={t("graphs.went")}>
      <h3>{t("graphs.went")}</h3>
      {!from && <p className="muted">{t("graphs.wentNothing")}</p>}
      {from && (
        <>
          <p className="muted small">
            {t("graphs.wentTimes", { count: taken.length })} {edge.source} → {last.target}
          </p>
          {Object.keys(from.delta).length > 0 ? (
            <StateDiff run={watched.state.row.id} before={from.delta} after={null} />
          ) : (
            <p className="muted small">{t("graphs.wentEmpty")}</p>
          )}
          <div className="row">
            <Button size="compact-sm" variant="default" onClick={() => pick(from.id)}>
              {from.node}
            </Button>
            {last.into && (
              <Button size="compact-sm" variant="default" onClick={() => pick(last.into!)}>
                {last.target}
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  );
}
