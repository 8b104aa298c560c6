import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { ReactFlowProvider } from "@xyflow/react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConflictView } from "@/shared/editor/ConflictView";
import { DraftContext } from "@/shared/editor/DraftContext";
import type { DraftEditor } from "@/shared/editor/draftStore";
import shared from "@/shared/editor/Editor.module.css";
import { HistoryPanel } from "@/shared/editor/HistoryPanel";
import { LeaveGuard } from "@/shared/editor/LeaveGuard";
import { NamedSave } from "@/shared/editor/NamedSave";
import { Refusal } from "@/shared/editor/Refusal";
import { useEditorKeys } from "@/shared/editor/useEditorKeys";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import type { GraphDraft } from "../requests/graphRequests";
import { createGraphEditor, createUi, type Editor, UiContext, useEditor, useUiHandle } from "./context";
import { EditCanvas } from "./EditCanvas";
import classes from "./Editor.module.css";
import { Header } from "./Header";
import { Dock } from "./dock/Dock";
import { tabAtOpening } from "./dock/openTab";
import { Inspector } from "./inspector/Inspector";
import { Palette } from "./Palette";
import { BackBar } from "./run/BackBar";
import { RunBar, RunSlider } from "./run/RunBar";
import { useStopsFollow } from "./run/useStopsFollow";
import { useNamedStep, useWatch, WatchedRun } from "./run/watched";
import { useActions } from "./useActions";
import { useCanvasKeys } from "./useCanvasKeys";
import { FindingsContext, useLookThrough } from "./warnings";
import { YamlPane } from "./YamlPane";

/** Why the canvas can't be edited now. */
function Locked() {
  const { t } = useTranslation();
  const reading = useEditor((state) => state.reading);
  const goTo = useEditor((state) => state.goTo);
  if (reading.ok) return null;
  const { reason } = reading;
  const line = "line" in reason ? reason.line : 1;
  const path = "path" in reason ? reason.path : "";
  return (
    <div className={classes.locked} role="status">
      <span>{t(`graphs.locked.${reason.why}`, { line, path })}</span>
      <Button size="compact-xs" variant="default" onClick={() => goTo({ path, line, column: 1, to: "yaml" })}>
        {t("form.showLine", { line })}
      </Button>
    </div>
  );
}

/** Goes where a problem is: selects its step or edge, and its field when it is shown. */
function useJumps(onYaml: () => void, yaml: boolean): void {
  const jump = useEditor((state) => state.jump);
  const ui = useUiHandle();
  useEffect(() => {
    if (!jump) return;
    if (jump.to === "yaml") {
      if (!yaml) onYaml();
      return;
    }
    const [top, name] = jump.path.split(".");
    if (top === "nodes" && name) ui.getState().select([name]);
    else if (top === "edges" && name) ui.getState().selectEdge(Number(name));
    else ui.getState().select([]);
    setTimeout(() => {
      const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(jump.path)}"]`);
      field?.scrollIntoView({ block: "center" });
      field?.focus();
    }, 120);
    // A jump is followed once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [jump]);
}

function Inside() {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const actions = useActions();
  const [history, setHistory] = useState(false);
  const [naming, setNaming] = useState(false);
  const [yaml, setYaml] = useLocalStorage({ key: "workbench.graph.yaml", defaultValue: false });
  const readOnly = useEditor((state) => state.readOnly);
  const conflict = useEditor((state) => state.save.kind === "conflict");
  const mayRun = useMay("runs.start");
  /**
   * Asks for what the graph takes; the second time, starts. While the watched run goes on, shows it. A form that is
   * open from before was not asked for: a field in which nothing stands is asked for first.
   */
  const run = () => {
    if (!mayRun) return;
    const form = document.querySelector<HTMLFormElement>("form[data-run-form]");
    const blank = form?.querySelector<HTMLElement>("[data-blank]");
    if (blank && !form?.contains(document.activeElement)) blank.focus();
    else if (form && ui.getState().live)
      form.querySelector<HTMLElement>("textarea, input, button:not([data-aside])")?.focus();
    else if (form) form.requestSubmit();
    else ui.getState().set({ dock: "run" });
  };
  useEditorKeys({
    onRun: run,
    onSave: () => setNaming(!readOnly),
  });
  useCanvasKeys(actions);
  useStopsFollow();
  useNamedStep((name) => actions.show([name]));
  useJumps(() => setYaml(true), yaml);
  useEffect(() => {
    const timer = setTimeout(() => actions.settle(), 80);
    return () => clearTimeout(timer);
  }, [yaml, history, actions]);
  return (
    <main className={shared.page} data-history>
      <Header
        yaml={yaml}
        onYaml={() => setYaml(!yaml)}
        history={history}
        onHistory={() => setHistory(!history)}
        onRun={run}
      />
      <Refusal />
      <div className={shared.work}>
        {conflict ? (
          <ConflictView />
        ) : (
          <>
            {!readOnly && <Palette actions={actions} narrow={yaml} />}
            <div className={classes.stage}>
              <Locked />
              <BackBar />
              <RunBar actions={actions} />
              <div className={classes.upper} data-beside={yaml || undefined}>
                <div className={classes.middle}>
                  <EditCanvas actions={actions} />
                </div>
                {yaml && (
                  <section className={`${shared.pane} ${classes.yaml}`} data-view="yaml" aria-label="YAML">
                    <YamlPane />
                  </section>
                )}
              </div>
              <RunSlider />
              <Dock actions={actions} />
            </div>
            {history ? <HistoryPanel onClose={() => setHistory(false)} /> : <Inspector actions={actions} />}
          </>
        )}
      </div>
      {naming && <NamedSave onClose={() => setNaming(false)} />}
      <LeaveGuard />
      <span className="visually-hidden" role="status">
        {conflict ? t("conflict.title") : ""}
      </span>
    </main>
  );
}

function Looked({ children }: { children: ReactNode }) {
  return <FindingsContext value={useLookThrough()}>{children}</FindingsContext>;
}

/** A graph's editor: palette, canvas, settings, and the text beside it. */
export function GraphEditor({ graph }: { graph: GraphDraft }) {
  const readOnly = !useMay("graphs.write");
  const { id: run } = useWatch();
  const [open, setOpen] = useState<{ editor: Editor; ui: ReturnType<typeof createUi> } | null>(null);
  useTitle(graph.name);
  useEffect(() => {
    const editor = createGraphEditor(graph, readOnly);
    setOpen({ editor, ui: createUi(tabAtOpening(graph.name, run)) });
    return () => editor.close();
    // The text is taken once, when the page opens: what is stored later comes by saving or as a conflict.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [graph.name, readOnly]);
  if (!open) return null;
  return (
    <DraftContext value={open.editor as unknown as DraftEditor}>
      <UiContext value={open.ui}>
        <ReactFlowProvider>
          <WatchedRun>
            <Looked>
              <Inside />
            </Looked>
          </WatchedRun>
        </ReactFlowProvider>
      </UiContext>
    </DraftContext>
  );
}
