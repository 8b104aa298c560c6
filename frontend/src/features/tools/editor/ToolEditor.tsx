import { useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Tool } from "@/shared/api/shapes";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { ConflictView } from "@/shared/editor/ConflictView";
import { DraftContext } from "@/shared/editor/DraftContext";
import type { DraftEditor } from "@/shared/editor/draftStore";
import { useEditor } from "./EditorContext";
import { createEditor, type Editor } from "./editorStore";
import { FormView } from "./form/FormView";
import { Header } from "./Header";
import { HistoryPanel } from "@/shared/editor/HistoryPanel";
import { LeaveGuard } from "@/shared/editor/LeaveGuard";
import { NamedSave } from "@/shared/editor/NamedSave";
import { Refusal } from "@/shared/editor/Refusal";
import { PaneHead } from "@/shared/editor/PaneHead";
import { RunPanel } from "./run/RunPanel";
import { RunStartContext } from "./run/RunStart";
import { useRun } from "./run/useRun";
import { useEditorKeys } from "@/shared/editor/useEditorKeys";
import { useUndeclared } from "./useUndeclared";
import { useViews, type View } from "./useViews";
import { ProblemList } from "@/shared/editor/yaml/ProblemList";
import { YamlView } from "./yaml/YamlView";
import classes from "@/shared/editor/Editor.module.css";

function Pane({ view, label, children }: { view: View; label: string; children: React.ReactNode }) {
  return (
    <section
      className={classes.pane}
      data-view={view}
      aria-label={label}
      data-history={view === "run" ? undefined : true}
    >
      {children}
    </section>
  );
}

function Panes({ views }: { views: ReturnType<typeof useViews> }) {
  const { t } = useTranslation();
  const { shown } = views;
  const warnings = useUndeclared();
  const faulty = useEditor((state) => state.problems.length > 0) || warnings.length > 0;
  return (
    <div className={classes.panes} data-count={shown.length}>
      {shown.includes("form") && (
        <Pane view="form" label={t("views.form")}>
          <PaneHead title={t("views.form")} />
          <div className={classes.scroll}>
            <FormView warnings={warnings} />
          </div>
          {faulty && !shown.includes("yaml") && <ProblemList to="form" warnings={warnings} />}
        </Pane>
      )}
      {shown.includes("yaml") && (
        <Pane view="yaml" label="YAML">
          <YamlView warnings={warnings} />
        </Pane>
      )}
      {shown.includes("run") && (
        <Pane view="run" label={t("views.run")}>
          <div className={classes.scroll}>
            <RunPanel />
          </div>
        </Pane>
      )}
    </div>
  );
}

function Inside({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const run = useRun(editor, t("save.runNeedsSave"));
  const [history, setHistory] = useState(false);
  const views = useViews(history);
  const [naming, setNaming] = useState(false);
  const conflict = useEditor((state) => state.save.kind === "conflict");
  const jump = useEditor((state) => state.jump);
  const readOnly = useEditor((state) => state.readOnly);
  const { show } = views;
  useEditorKeys({ onRun: () => (show("run"), run.start()), onSave: () => setNaming(!readOnly) });
  useEffect(() => {
    if (run.state === "starting" || run.missed > 0) show("run");
  }, [run.state, run.missed, show]);
  const { show: named } = useSearch({ strict: false }) as { show?: string };
  useEffect(() => {
    if (named === "tests") show("run");
  }, [named, show]);
  useEffect(() => {
    if (jump) show(jump.to);
  }, [jump, show]);
  return (
    <RunStartContext value={run}>
      <main className={classes.page}>
        <Header views={views} onHistory={() => setHistory(!history)} historyOpen={history} />
        <Refusal />
        <div className={classes.work}>
          {conflict ? <ConflictView /> : <Panes views={views} />}
          {history && !conflict && <HistoryPanel onClose={() => setHistory(false)} />}
        </div>
        {naming && <NamedSave onClose={() => setNaming(false)} />}
        <LeaveGuard />
      </main>
    </RunStartContext>
  );
}

export function ToolEditor({ tool }: { tool: Tool }) {
  const readOnly = !useMay("tools.write");
  const [editor, setEditor] = useState<Editor | null>(null);
  useTitle(tool.name);
  useEffect(() => {
    const opened = createEditor(tool, readOnly);
    setEditor(opened);
    return () => opened.close();
    // The text is taken once, when the page opens: what is stored later comes by saving or as a conflict.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tool.name, readOnly]);
  if (!editor) return null;
  return (
    <DraftContext value={editor as unknown as DraftEditor}>
      <Inside editor={editor} />
    </DraftContext>
  );
}
