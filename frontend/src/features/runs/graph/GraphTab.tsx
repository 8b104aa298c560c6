import { Button, Tabs } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Warnings } from "../view/RunResult";
import { Breakpoints } from "./Breakpoints";
import { DebugBar } from "./DebugBar";
import type { RunGraph } from "./definition";
import classes from "./Graph.module.css";
import { MendLink, NodeError } from "./NodeError";
import { lostDrafts, useAnswerDrafts } from "./answerDrafts";
import { QuestionList } from "./QuestionList";
import { RunCanvas } from "./RunCanvas";
import { StateNow } from "./StateView";
import { runBreakpoints } from "./runBreakpoints";
import { TimeSlider } from "./TimeSlider";
import { Trace } from "./Trace";
import { useBreakpointEdits } from "./useBreakpointEdits";
import { useDebugKeys } from "./useDebugKeys";
import type { GraphRun } from "./useGraphRun";
import type { Inspected } from "./useInspected";
import type { RunControl } from "./useRunControl";
import { VisitPanel } from "./VisitPanel";

interface Props {
  state: GraphRun;
  graph: RunGraph;
  inspected: Inspected;
  control: RunControl;
  may: boolean;
}

/** The graph as it ran or runs, with the debugger around it. */
export function GraphTab({ state, graph, inspected, control, may }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { row, status, events, count } = state;
  const { fold, at, node, visit } = inspected;
  const [panel, setPanel] = useState<string>("trace");
  // Whoever chose a tab keeps it, wherever the run stops next.
  const chosen = useRef(false);
  const live = !state.fold.done;
  const past = at !== null;
  const debug = state.fold.mode === "debug";
  const paused = status === "paused" && may;
  const stops = runBreakpoints(state.fold, row);
  const breakpoints = useBreakpointEdits(row.name, live && debug ? { send: control.send, stops } : null);
  const select = (name: string | null) => {
    if (name && !graph.nodes.some((one) => one.name === name)) return;
    inspected.select(name);
    chosen.current = false;
    setPanel(name ? "visit" : "trace");
  };
  const pick = (id: string) => {
    inspected.pick(id);
    chosen.current = false;
    setPanel("visit");
  };
  const choose = (next: string | null) => {
    chosen.current = true;
    setPanel(next ?? "trace");
  };
  const latest = useRef(pick);
  useEffect(() => {
    latest.current = pick;
  });
  const pickSame = useCallback((id: string) => latest.current(id), []);
  useDebugKeys(paused ? control : null, state.fold);
  useHotkeys(node && may ? [["F9", () => breakpoints.toggle(node)]] : []);
  const edge = (source: string, target: string) => {
    const taken = fold.taken.findLast((one) => one.source === source && one.target === target);
    if (taken) pick(taken.from);
  };
  const failing = state.fold.error?.node;
  const failedAt = failing ? state.fold.visitsOf(failing).findLast((one) => one.state === "failed")?.id : undefined;
  // A pause asks for a look at the visit that is about to run, a failure at the one that failed.
  const lookAt = past ? null : paused ? (fold.held[0]?.id ?? null) : (failedAt ?? null);
  useEffect(() => {
    if (!lookAt) return;
    inspected.pick(lookAt);
    if (!chosen.current) setPanel("visit");
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [lookAt]);
  const questions = past ? [] : state.fold.questions;
  const lost = useAnswerDrafts(({ drafts }) => !past && lostDrafts(drafts, row.id, questions).length > 0);
  return (
    <div className={classes.graphTab}>
      {may && <DebugBar control={control} fold={state.fold} status={status} node={node} visit={visit} />}
      {state.noGraph && <p className="muted">{t("run.noGraph")}</p>}
      <div className={classes.split}>
        <div className={classes.canvas}>
          <RunCanvas
            graph={graph}
            fold={fold}
            version={past ? at : count}
            live={live && !past}
            picked={inspected.turns}
            selected={node}
            onSelect={select}
            onEdge={edge}
            breakpoints={breakpoints.names}
            onToggle={may ? breakpoints.toggle : undefined}
          />
        </div>
        <aside className={classes.inspector} aria-label={t("run.inspector")}>
          {(questions.length > 0 || lost || (!past && (state.fold.error || state.fold.warnings.length > 0))) && (
            <div className={classes.first}>
              {!past && <QuestionList run={row.id} status={status} questions={questions} />}
              {state.fold.error && !past && (
                <NodeError error={state.fold.error}>
                  {failedAt && failedAt !== visit?.id && (
                    <Button size="compact-sm" variant="default" onClick={() => pick(failedAt)}>
                      {t("run.showStep")}
                    </Button>
                  )}
                  <MendLink graph={row.name} run={row.id} node={failing} />
                </NodeError>
              )}
              {!past && <Warnings warnings={state.fold.warnings} />}
            </div>
          )}
          <Tabs value={panel} onChange={choose} keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="visit" disabled={!visit && !node}>
                <span className={`truncate ${classes.tabName}`}>{node ?? t("run.visit.title")}</span>
              </Tabs.Tab>
              <Tabs.Tab value="trace">{t("run.visit.traceShort")}</Tabs.Tab>
              <Tabs.Tab value="state">{t("run.debug.state")}</Tabs.Tab>
              <Tabs.Tab value="breakpoints">{t("run.break.title")}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="visit" className={classes.inspected}>
              {visit && (visit.node === node || visit.path.length > 0) ? (
                <VisitPanel
                  key={visit.id}
                  run={row.id}
                  graph={graph}
                  fold={fold}
                  status={status}
                  past={past}
                  visit={visit}
                  control={control}
                  may={may}
                  onPick={pick}
                  onFork={(id) => void navigate({ to: "/runs/$id", params: { id } as never })}
                  mend={<MendLink graph={row.name} run={row.id} node={visit.node} />}
                />
              ) : (
                <p className="muted">{t("run.visit.notVisited")}</p>
              )}
            </Tabs.Panel>
            <Tabs.Panel value="trace" className={classes.inspected}>
              <Trace fold={fold} selected={visit?.id ?? null} onPick={pickSame} />
            </Tabs.Panel>
            <Tabs.Panel value="state" className={classes.inspected}>
              <StateNow run={row.id} graph={graph} fold={fold} />
            </Tabs.Panel>
            <Tabs.Panel value="breakpoints" className={classes.inspected}>
              <Breakpoints
                nodes={graph.nodes.map(({ name }) => name)}
                list={breakpoints.list}
                disabled={!may}
                onSet={breakpoints.set}
                onClear={breakpoints.clear}
              />
            </Tabs.Panel>
          </Tabs>
        </aside>
      </div>
      <TimeSlider events={events} count={count} at={at} onSet={inspected.travel} />
    </div>
  );
}
