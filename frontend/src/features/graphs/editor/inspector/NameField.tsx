import { TextInput } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePending } from "@/shared/editor/useField";
import type { GraphNode } from "../../document/graph";
import { LONGEST_NAME, NODE_NAME, normalName } from "../../document/names";
import { useGraph, useUi, useUiHandle } from "../context";
import type { Actions } from "../useActions";

/** A step's name; when it is left, everything that says it follows. */
export function NameField({ node, actions }: { node: GraphNode; actions: Actions }) {
  const { t } = useTranslation();
  const { graph, locked } = useGraph();
  const ui = useUiHandle();
  const wish = useUi((state) => state.rename);
  const enter = useUi((state) => state.enter);
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState<string | null>(null);
  // At once, and also when the wish was there before the field: what is typed next belongs into it.
  useLayoutEffect(() => {
    if (wish + enter === ui.getState().wishesMet) return;
    ui.getState().set({ wishesMet: wish + enter });
    box.current?.focus();
    box.current?.select();
  }, [wish, enter, ui]);
  const typed = text ?? node.name;
  const shown = text === null ? node.name : normalName(text);
  const taken = shown !== node.name && graph.nodes.some(({ name }) => name === shown);
  const wrong = !NODE_NAME.test(shown);
  const length = Array.from(shown).length;
  const long = length > LONGEST_NAME && t("graphs.nameLong", { limit: LONGEST_NAME, count: length });
  const commit = () => {
    setText(null);
    if (shown !== node.name && !taken && !wrong) actions.rename(node.name, shown);
  };
  usePending(text === null ? null : commit);
  return (
    <TextInput
      ref={box}
      label={t("graphs.name")}
      value={typed}
      readOnly={locked}
      spellCheck={false}
      error={taken ? t("graphs.nameTaken") : wrong ? long || t("graphs.nameWrong") : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key === "Escape") {
          setText(null);
          actions.focus(node.name);
        }
      }}
    />
  );
}
