import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { CompletionSource } from "@codemirror/autocomplete";
import type { PlacedProblem } from "@/shared/api/shapes";
import { type Say, useSay } from "@/shared/i18n/sentences";
import { useDraft, useDraftHandle } from "../DraftContext";
import { difference, endingsOf, fromEditor, toEditor } from "./lineEndings";
import { fromOutside, yamlSetUp } from "./setUp";
import classes from "./Yaml.module.css";

const linesOf = (text: string, mixed: boolean) => Text.of(mixed ? text.split("\n") : text.split(/\r\n?|\n/));

const NO_WARNINGS: readonly PlacedProblem[] = [];

/** What is said about a place, with the code in it as code. */
function rendered(text: string): Node {
  const line = document.createElement("span");
  line.append(
    ...text.split(/`([^`\n]*)`/).map((part, index) => {
      if (index % 2 === 0) return part;
      const code = document.createElement("code");
      code.textContent = part;
      return code;
    }),
  );
  return line;
}

function diagnosticsOf(
  state: EditorState,
  problems: readonly PlacedProblem[],
  severity: Diagnostic["severity"],
  say: Say,
): Diagnostic[] {
  return problems.map(({ line, column, message }) => {
    const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
    const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
    const text = at.text.slice(from - at.from);
    const said = say(message);
    return { from, to: from + text.trimEnd().length, severity, message: said, renderMessage: () => rendered(said) };
  });
}

/** The YAML, in the browser's editor for code. */
export default function YamlEditor({
  label,
  completion,
  warnings = NO_WARNINGS,
}: {
  label: string;
  completion: CompletionSource;
  warnings?: readonly PlacedProblem[];
}) {
  const { t } = useTranslation();
  const say = useSay();
  const { store } = useDraftHandle();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const readOnly = useDraft((state) => state.readOnly);
  const problems = useDraft((state) => state.problems);
  const jump = useDraft((state) => state.jump);
  const endings = useDraft((state) => endingsOf(state.text));

  useEffect(() => {
    const mixed = endings === "mixed";
    const phrases = {
      Find: t("search.find"),
      Replace: t("search.replace"),
      next: t("search.next"),
      previous: t("search.previous"),
      all: t("search.all"),
      "match case": t("search.matchCase"),
      regexp: t("search.regexp"),
      "by word": t("search.byWord"),
      replace: t("search.replaceOne"),
      "replace all": t("search.replaceAll"),
      close: t("common.close"),
    };
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: linesOf(toEditor(store.getState().text, endings), mixed),
        extensions: yamlSetUp({
          label,
          readOnly,
          mixed,
          phrases,
          completion,
          onType: (text) => store.getState().type(fromEditor(text, endings), "yaml"),
        }),
      }),
    });
    view.current = editor;
    const stop = store.subscribe((state) => {
      const change = difference(editor.state.doc.toString(), toEditor(state.text, endings));
      if (!change || endingsOf(state.text) !== endings) return;
      editor.dispatch({
        changes: { ...change, insert: linesOf(change.insert, mixed) },
        annotations: fromOutside.of(true),
      });
    });
    return () => {
      stop();
      editor.destroy();
      view.current = null;
    };
  }, [store, endings, readOnly, label, completion, t]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const found = [
      ...diagnosticsOf(editor.state, problems, "error", say),
      ...diagnosticsOf(editor.state, warnings, "warning", say),
    ];
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [problems, warnings, endings, say]);

  useEffect(() => {
    const editor = view.current;
    if (jump?.to !== "yaml" || !editor) return;
    const line = editor.state.doc.line(Math.min(Math.max(jump.line, 1), editor.state.doc.lines));
    const anchor = Math.min(line.from + Math.max(jump.column - 1, 0), line.to);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }, [jump]);

  return <div ref={host} className={classes.editor} />;
}
