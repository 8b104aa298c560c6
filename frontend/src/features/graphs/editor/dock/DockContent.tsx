import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Breakpoints } from "@/features/runs/graph/Breakpoints";
import { EventsView } from "@/features/runs/graph/EventsView";
import { Timeline } from "@/features/runs/graph/Timeline";
import { Trace } from "@/features/runs/graph/Trace";
import { ProblemList } from "@/shared/editor/yaml/ProblemList";
import { useMay } from "@/shared/session/session";
import { type DockTab, useGraph, useUiHandle } from "../context";
import { RunTab } from "../run/RunTab";
import { useStops } from "../run/useStops";
import { useWatched, type Watched } from "../run/watched";
import type { Actions } from "../useActions";
import { useFindings } from "../warnings";
import { TestsTab } from "./TestsTab";
import { VariablesTab } from "./VariablesTab";

/** What a run shows; without one, how to get there. */
function OfRun({ children }: { children: (watched: Watched) => ReactNode }) {
  const { t } = useTranslation();
  const watched = useWatched();
  if (!watched) return <p className="muted">{t("graphs.noRun")}</p>;
  return children(watched);
}

function TraceTab({ watched }: { watched: Watched }) {
  const { fold, visit, pick } = watched.inspected;
  const ui = useUiHandle();
  const latest = useRef(pick);
  useEffect(() => {
    latest.current = pick;
  });
  const onPick = useCallback(
    (id: string) => {
      latest.current(id);
      if (ui.getState().panel === "settings") ui.getState().set({ panel: "output" });
    },
    [ui],
  );
  return <Trace fold={fold} selected={visit?.id ?? null} onPick={onPick} />;
}

/** What is open below the canvas. */
export function DockContent({ tab, actions }: { tab: DockTab; actions: Actions }) {
  const { graph } = useGraph();
  const mayRun = useMay("runs.start");
  const stops = useStops();
  const findings = useFindings();
  switch (tab) {
    case "run":
      return <RunTab />;
    case "variables":
      return <VariablesTab actions={actions} />;
    case "trace":
      return <OfRun>{(watched) => <TraceTab watched={watched} />}</OfRun>;
    case "timeline":
      return (
        <OfRun>
          {({ state, inspected, live }) => (
            <Timeline
              fold={state.fold}
              version={state.count}
              live={live && state.status === "running"}
              selected={inspected.visit?.id ?? null}
              onPick={(visit) => inspected.pick(visit.id)}
            />
          )}
        </OfRun>
      );
    case "events":
      return (
        <OfRun>
          {({ state, inspected }) => (
            <EventsView events={state.events} count={state.count} onTravel={inspected.travel} />
          )}
        </OfRun>
      );
    case "breakpoints":
      return (
        <Breakpoints
          nodes={graph.nodes.map(({ name }) => name)}
          list={stops.list}
          disabled={!mayRun}
          onSet={stops.set}
          onClear={stops.clear}
        />
      );
    case "tests":
      return <TestsTab />;
    case "problems":
      return <ProblemList to="form" {...findings} />;
  }
}
