import { Anchor, Button, Tabs } from "@mantine/core";
import { IconPlayerStopFilled } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Run, RunEvent } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { useTitle } from "@/shared/hooks/useTitle";
import { fromPlain, writeJson } from "@/shared/json/exact";
import { useMay } from "@/shared/session/session";
import { SaveAsTest } from "@/shared/savedTests/SaveAsTest";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage } from "@/shared/ui/PlainPage";
import { ValueView } from "@/shared/ui/ValueView";
import { Waiting } from "@/shared/ui/Waiting";
import { CompareMenu } from "./compare/CompareMenu";
import type { RunView } from "./fold";
import { runCancel } from "./requests/runCancel";
import { runRead } from "./requests/runRead";
import { useRunJournal } from "./useRunJournal";
import { OutputView } from "./view/OutputView";
import { RunState } from "./view/Refusal";
import { RunResult } from "./view/RunResult";
import classes from "./view/Run.module.css";

function Facts({ run, view }: { run: Run; view: RunView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, ReactNode][] = [
    [t("runs.status"), <RunState key="s" view={view} />],
    [t("tools.duration"), format.duration(view.durationMs ?? run.duration_ms)],
    [t("runs.started"), format.dateTime(run.started_at ?? run.created_at)],
    [t("runs.environment"), run.environment ?? "–"],
    [t("runs.user"), run.user ?? "–"],
    [t("runs.revision"), run.revision],
  ];
  return (
    <dl className={classes.facts} data-testid="run-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Events({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <table className={classes.events} aria-label={t("run.events")}>
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">{t("run.when")}</th>
          <th scope="col">{t("run.event")}</th>
          <th scope="col">{t("run.data")}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => {
          const data = writeJson(fromPlain(event.data));
          return (
            <tr key={event.seq}>
              <td>{event.seq}</td>
              <td>{format.time(event.at)}</td>
              <td>
                <code>{event.type}</code>
              </td>
              <td>{data.length > 120 ? <ValueView value={event.data} label={event.type} /> : <code>{data}</code>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A tool's run: its steps, what went in and came out, every event. */
function ToolRunPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const { tab = "steps" } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const mayStop = useMay("runs.start");
  const { run, view, events, error } = useRunJournal(id);
  const cancel = useMutation({ mutationFn: () => runCancel(id) });
  useTitle(run ? t("run.titleOf", { name: run.name }) : t("places.runs"));
  if (error && !run) return <FailedPage error={error} />;
  if (!run) return <Waiting />;
  const live = !view.done && ["queued", "running", "stopping", "waiting", "paused"].includes(run.status);
  const stopping = cancel.isPending || cancel.isSuccess || view.status === "stopping";
  const shownView =
    live && stopping
      ? { ...view, status: "stopping" as const }
      : events.length
        ? view
        : { ...view, status: run.status };
  const actions = (
    <>
      <CompareMenu run={run} />
      <Button
        component={Link}
        to="/tools/$name"
        params={{ name: run.name } as never}
        search={{ run: id } as never}
        variant="default"
      >
        {t("run.openTool")}
      </Button>
      {!live && <SaveAsTest place="tools" run={{ ...run, status: view.done ? view.status : run.status }} />}
      {live && mayStop && (
        <Button
          variant="default"
          leftSection={<IconPlayerStopFilled size={14} />}
          disabled={stopping}
          onClick={() => cancel.mutate()}
        >
          {t(stopping ? "run.stopping" : "run.stop")}
        </Button>
      )}
    </>
  );
  return (
    <PageFrame
      title={t("run.titleOf", { name: run.name })}
      actions={actions}
      intro={<code className="small">{run.id}</code>}
    >
      <ErrorLine error={cancel.error} />
      <Facts run={run} view={shownView} />
      {run.parent && (
        <p className="muted">
          {t("run.parent")}{" "}
          <Anchor component={Link} to="/runs/$id" params={{ id: run.parent } as never} size="sm">
            {run.parent}
          </Anchor>
        </p>
      )}
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ to: ".", search: { tab: next === "steps" ? undefined : next } as never, replace: true })
        }
        keepMounted={false}
      >
        <Tabs.List mb={16}>
          <Tabs.Tab value="steps">{t("run.steps")}</Tabs.Tab>
          <Tabs.Tab value="io">{t("run.io")}</Tabs.Tab>
          <Tabs.Tab value="events">{t("run.events")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="steps">
          <RunResult run={id} view={shownView} />
        </Tabs.Panel>
        <Tabs.Panel value="io">
          <div className={classes.result}>
            <section className={classes.part}>
              <h2>{t("run.input")}</h2>
              <div className={classes.box}>
                <ValueView value={run.inputs} label={t("run.input")} />
              </div>
            </section>
            <section className={classes.part}>
              <h2>{t("run.output")}</h2>
              {view.done ? (
                <OutputView run={id} output={view.output ?? run.output} />
              ) : (
                <p className="muted">{t("run.notYet")}</p>
              )}
            </section>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <Events events={events} />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  );
}

const GraphRunPage = lazy(async () => ({ default: (await import("./graph/GraphRunPage")).GraphRunPage }));

/** A run's page: what happened, and everything there is to see about it. */
export function RunPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const run = useQuery({ queryKey: ["run", id], queryFn: () => runRead(id), staleTime: Infinity });
  if (run.error && !run.data) return <FailedPage error={run.error} />;
  if (!run.data) return <Waiting />;
  if (run.data.kind === "tool") return <ToolRunPage key={id} id={id} />;
  return (
    <Suspense fallback={<Waiting />}>
      <GraphRunPage key={id} first={run.data} />
    </Suspense>
  );
}
