import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--wb-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--wb-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--wb-number)" },
  { tag: tags.comment, color: "var(--wb-muted)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: "var(--wb-muted)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--wb-surface)", color: "var(--wb-text)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "20px" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--wb-text)" },
  ".cm-cursor": { borderLeftColor: "var(--wb-text)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--wb-surface)", color: "var(--wb-muted)", border: "none", paddingLeft: "4px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--wb-hover) 60%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--wb-accent) 26%, transparent)",
  },
  ".cm-reference": { color: "var(--wb-accent-text)", backgroundColor: "var(--wb-accent-soft)", borderRadius: "3px" },
  ".cm-tooltip": {
    backgroundColor: "var(--wb-surface)",
    color: "var(--wb-text)",
    border: "1px solid var(--wb-border)",
    borderRadius: "6px",
    boxShadow: "0 8px 24px rgb(17 24 39 / 14%)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mantine-font-family-monospace)", maxHeight: "18em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", lineHeight: "18px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--wb-accent-soft)",
    color: "var(--wb-accent-text)",
  },
  ".cm-completionDetail": {
    fontStyle: "normal",
    color: "var(--wb-muted)",
    marginLeft: "12px",
    fontFamily: "var(--mantine-font-family)",
  },
  ".cm-completionIcon": { display: "none" },
  ".cm-diagnostic": {
    padding: "6px 10px",
    borderLeft: "3px solid var(--wb-red)",
    fontFamily: "var(--mantine-font-family)",
    fontSize: "13px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--wb-red) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker.cm-lint-marker-error": {
    content: "normal",
    width: "8px",
    height: "8px",
    margin: "6px 3px",
    borderRadius: "50%",
    backgroundColor: "var(--wb-red)",
  },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-panels": { backgroundColor: "var(--wb-canvas)", color: "var(--wb-text)", borderColor: "var(--wb-border)" },
  ".cm-panel input, .cm-panel button": { fontSize: "12px" },
  ".cm-foldGutter span": { color: "var(--wb-muted)" },
});

const marker = new MatchDecorator({
  regexp: /(?<!\$)\$\{(?:param|env|step\d+):[^}\s]*\}/g,
  decoration: Decoration.mark({ class: "cm-reference" }),
});

const references = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marker.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = marker.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export const yamlLook = [look, syntaxHighlighting(highlight), references];
