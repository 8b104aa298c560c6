import { Button, Tabs } from "@mantine/core";
import { IconPlayerStopFilled } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { memo, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Run } from "@/shared/api/shapes";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { SaveAsTest } from "@/shared/savedTests/SaveAsTest";
import { ValueView } from "@/shared/ui/ValueView";
import { Waiting } from "@/shared/ui/Waiting";
import { CompareMenu } from "../compare/CompareMenu";
import { graphStart } from "../requests/graphStart";
import { OutputView } from "../view/OutputView";
import { RunErrorCard } from "../view/RunError";
import runClasses from "../view/Run.module.css";
import { AgainMenu } from "./AgainMenu";
import { Conversation, isConversation, type Message } from "./Conversation";
import { EventsView } from "./EventsView";
import classes from "./Graph.module.css";
import { GraphTab } from "./GraphTab";
import { RunFacts } from "./RunFacts";
import { runShown, useStarter } from "./startGate";
import { Timeline } from "./Timeline";
import { useGraphRun } from "./useGraphRun";
import { useInspected } from "./useInspected";
import { useRunControl } from "./useRunControl";

const LIVE = new Set(["queued", "running", "stopping", "waiting", "paused"]);

/** Drawn once, not with every event. */
const EditorLink = memo(function EditorLink({ run }: { run: Run }) {
  const { t } = useTranslation();
  return (
    <Button component={Link} to={`/graphs/${encodeURIComponent(run.name)}?run=${run.id}`} variant="default">
      {t("run.openGraph")}
    </Button>
  );
});

const TabNames = memo(function TabNames({ talks }: { talks: boolean }) {
  const { t } = useTranslation();
  return (
    <Tabs.List px={24}>
      <Tabs.Tab value="graph">{t("run.graph")}</Tabs.Tab>
      <Tabs.Tab value="timeline">{t("run.timeline")}</Tabs.Tab>
      <Tabs.Tab value="events">{t("run.events")}</Tabs.Tab>
      <Tabs.Tab value="io">{t("run.io")}</Tabs.Tab>
      {talks && <Tabs.Tab value="chat">{t("run.chat.title")}</Tabs.Tab>}
    </Tabs.List>
  );
});

/** A graph run's page: the graph as it ran, the timeline, every event, and what went in and came out. */
export function GraphRunPage({ first }: { first: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { tab = "graph" } = useSearch({ strict: false }) as { tab?: string };
  const mayStart = useMay("runs.start");
  const mayControl = useMay("runs.control");
  const state = useGraphRun(first);
  const { graph, fold, row: run, status, events, count } = state;
  const control = useRunControl(run.id);
  const inspected = useInspected(state);
  useTitle(t("run.titleOf", { name: run.name }));
  const live = LIVE.has(status);
  const stopping = live && (control.stopping || status === "stopping");
  const setTab = (next: string | null) =>
    void navigate({ to: ".", search: { tab: next === "graph" ? undefined : next } as never, replace: true });
  const inspect = (id: string) => {
    inspected.pick(id);
    setTab("graph");
  };
  useEffect(() => runShown(run.id), [run.id]);
  const turn = useStarter(
    (messages: Message[]) =>
      graphStart(run.name, { inputs: { ...run.inputs, messages }, environment: run.environment }),
    (id) => void navigate({ to: "/runs/$id", params: { id } as never, search: { tab: "chat" } as never }),
  );
  if (!graph) return <Waiting />;
  const talks = isConversation(graph);
  return (
    <main className={classes.page}>
      <header className={classes.header}>
        <div className="grow">
          <h1>{t("run.titleOf", { name: run.name })}</h1>
          <RunFacts
            run={run}
            status={stopping ? "stopping" : status}
            since={fold.startedAt}
            done={run.duration_ms ?? fold.durationMs}
            restedMs={fold.restedMs}
            debug={fold.mode === "debug"}
          />
        </div>
        <div className="row">
          <CompareMenu run={run} />
          <EditorLink run={run} />
          {!live && <SaveAsTest place="graphs" run={{ ...run, status }} />}
          {!live && mayStart && (
            <AgainMenu
              run={run}
              nodes={graph.nodes}
              failed={status === "failed" || status === "cancelled"}
              failedAt={fold.error?.node ? fold.visitsOf(fold.error.node).findLast((one) => one.error)?.id : undefined}
            />
          )}
          {live && mayControl && (
            <Button
              variant="default"
              leftSection={<IconPlayerStopFilled size={14} />}
              disabled={stopping}
              onClick={() => control.send({ command: "cancel" })}
            >
              {t(stopping ? "run.stopping" : "run.stop")}
            </Button>
          )}
        </div>
      </header>
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes.tabs}>
        <TabNames talks={talks} />
        <Tabs.Panel value="graph" className={classes.panel}>
          <GraphTab state={state} graph={graph} inspected={inspected} control={control} may={mayControl} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline" className={`${classes.panel} ${classes.padded}`}>
          <Timeline
            fold={fold}
            version={count}
            live={live && status !== "paused" && status !== "waiting"}
            selected={inspected.visit?.id ?? null}
            onPick={(visit) => inspect(visit.id)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="events" className={`${classes.panel} ${classes.padded}`}>
          <EventsView
            events={events}
            count={count}
            onTravel={(at) => {
              inspected.travel(at);
              setTab("graph");
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="io" className={`${classes.panel} ${classes.padded} ${classes.scroll}`}>
          <div className={runClasses.result}>
            {fold.error && <RunErrorCard error={fold.error} />}
            <section className={runClasses.part}>
              <h2>{t("run.input")}</h2>
              <div className={runClasses.box}>
                <ValueView value={run.inputs} label={t("run.input")} />
              </div>
            </section>
            <section className={runClasses.part}>
              <h2>{t("run.output")}</h2>
              {fold.done ? (
                <OutputView run={run.id} output={fold.output ?? run.output} />
              ) : (
                <p className="muted">{t("run.notYet")}</p>
              )}
            </section>
          </div>
        </Tabs.Panel>
        {talks && (
          <Tabs.Panel value="chat" className={`${classes.panel} ${classes.padded}`}>
            <Conversation
              name={run.name}
              speaking={graph.nodes.filter(({ toUser }) => toUser).map((node) => node.name)}
              state={state}
              onSay={turn.begun}
              onPick={inspect}
            />
          </Tabs.Panel>
        )}
      </Tabs>
    </main>
  );
}
