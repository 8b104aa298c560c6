import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { nonce } from "@/shared/nonce";
import { yamlLook } from "./theme";

/** Marks what came from the other view, so that it isn't taken for typing. */
export const fromOutside = Annotation.define<boolean>();

/**
 * Typing over a selection. Left to itself the browser writes a `style` attribute into the text it replaces, which the
 * content security policy reports.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (
      event.inputType !== "insertText" ||
      !text ||
      empty ||
      event.isComposing ||
      view.composing ||
      view.state.readOnly
    )
      return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    event.preventDefault();
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert)))
      view.dispatch(insert());
    return true;
  },
});

export interface SetUp {
  label: string;
  readOnly: boolean;
  mixed: boolean;
  phrases: Record<string, string>;
  completion: CompletionSource;
  onType: (text: string) => void;
}

/** Undo, redo, run and save belong to the page, so their keys are left to it. */
const OURS = new Set(["Mod-Enter", "Mod-z", "Mod-y", "Mod-Shift-z", "Mod-s", "Mod-k"]);

export function yamlSetUp({ label, readOnly, mixed, phrases, completion, onType }: SetUp): Extension {
  return [
    EditorView.cspNonce.of(nonce()),
    mixed ? EditorState.lineSeparator.of("\n") : [],
    EditorState.readOnly.of(readOnly),
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    highlightSelectionMatches(),
    search({ top: true }),
    yaml(),
    yamlLook,
    EditorView.lineWrapping,
    typeOver,
    autocompletion({ override: [completion], icons: false }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...defaultKeymap.filter(({ key }) => !OURS.has(key ?? "")),
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      const outside = update.transactions.some((one) => one.annotation(fromOutside));
      if (update.docChanged && !outside) onType(update.state.doc.toString());
    }),
  ];
}
