import { ActionIcon, Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { knownStops } from "@/features/runs/graph/breakpoints";
import { useTests } from "@/shared/savedTests/useTests";
import { Resizer } from "@/shared/ui/Resizer";
import { DOCK_TABS, type DockTab, useEditor, useGraph, useUi, useUiHandle } from "../context";
import { useStops } from "../run/useStops";
import { useWatch } from "../run/watched";
import type { Actions } from "../useActions";
import { useFindings } from "../warnings";
import classes from "./Dock.module.css";
import { DockContent } from "./DockContent";
import { keepTab } from "./openTab";

const LOWEST = 120;
const HIGHEST = 640;

/** How many problems, breakpoints or failing tests there are. */
function Count({ tab }: { tab: DockTab }) {
  const { problems, warnings } = useFindings();
  const { graph } = useGraph();
  const stops = knownStops(useStops().list, graph.nodes).length;
  const failing = useTests().data?.filter(({ last_result: last }) => last && !last.passed).length ?? 0;
  const count = { problems: problems.length + warnings.length, breakpoints: stops, tests: failing }[tab as string] ?? 0;
  const likely = tab === "problems" && problems.length === 0;
  if (count === 0) return null;
  return (
    <span
      className={classes.count}
      data-bad={(tab !== "breakpoints" && !likely) || undefined}
      data-likely={likely || undefined}
    >
      {count}
    </span>
  );
}

/** Below the canvas: the run, the variables, the problems. */
export function Dock({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const open = useUi((state) => state.dock);
  const [height, setHeight] = useLocalStorage({ key: "workbench.dock", defaultValue: 264 });
  const last = useRef<DockTab>("run");
  const { show: named } = useSearch({ strict: false }) as { show?: string };
  useEffect(() => {
    if (DOCK_TABS.includes(named as DockTab)) ui.getState().set({ dock: named as DockTab });
  }, [named, ui]);
  const name = useEditor((state) => state.draft.name);
  const { id: run } = useWatch();
  useEffect(() => keepTab(name, run, open), [name, run, open]);
  useEffect(() => {
    if (open) last.current = open;
    const timer = setTimeout(() => actions.settle(), 80);
    return () => clearTimeout(timer);
  }, [open, actions]);
  const show = (tab: DockTab | null) => ui.getState().set({ dock: tab });
  const onTabKey = (event: KeyboardEvent, tab: DockTab) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = DOCK_TABS[(DOCK_TABS.indexOf(tab) + step + DOCK_TABS.length) % DOCK_TABS.length]!;
    show(next);
    document.getElementById(`dock-${next}`)?.focus();
  };
  const shown = open ?? last.current;
  return (
    <section
      className={classes.dock}
      aria-label={t("graphs.dock.title")}
      style={open ? { height } : undefined}
      data-open={open ?? undefined}
    >
      {open && (
        <Resizer
          edge="top"
          size={height}
          least={LOWEST}
          most={HIGHEST}
          label={t("graphs.dock.resize")}
          onSize={setHeight}
          onEnd={actions.settle}
        />
      )}
      <div className={classes.bar}>
        <div role="tablist" aria-label={t("graphs.dock.title")} className={classes.tabs}>
          {DOCK_TABS.map((tab) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`dock-${tab}`}
              aria-selected={open === tab}
              aria-controls={open === tab ? "dock-panel" : undefined}
              tabIndex={tab === shown ? 0 : -1}
              onKeyDown={(event) => onTabKey(event, tab)}
              onClick={() => show(open === tab ? null : tab)}
            >
              {t(`graphs.dock.${tab}`)}
              <Count tab={tab} />
            </button>
          ))}
        </div>
        <Tooltip label={t(open ? "graphs.dock.hide" : "graphs.dock.show")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t(open ? "graphs.dock.hide" : "graphs.dock.show")}
            aria-expanded={open !== null}
            onClick={() => show(open ? null : last.current)}
          >
            {open ? <IconChevronDown size={16} /> : <IconChevronUp size={16} />}
          </ActionIcon>
        </Tooltip>
      </div>
      {open && (
        <div id="dock-panel" role="tabpanel" aria-labelledby={`dock-${open}`} className={classes.panel} data-tab={open}>
          <DockContent tab={open} actions={actions} />
        </div>
      )}
    </section>
  );
}
