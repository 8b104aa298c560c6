import { ActionIcon, TextInput, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Graph } from "../document/graph";
import { useGraph, useUi, useUiHandle } from "./context";
import classes from "./Editor.module.css";
import type { Actions } from "./useActions";

/** Steps and notes in which a text stands: in the name, the kind or the settings. */
function findIn(graph: Graph, text: string): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const has = (...parts: unknown[]) =>
    parts.some((part) =>
      String(part ?? "")
        .toLowerCase()
        .includes(wanted),
    );
  const steps = graph.nodes
    .filter((node) => has(node.name, node.label, node.call, JSON.stringify(node.settings)))
    .sort((a, b) => Number(has(b.name, b.label)) - Number(has(a.name, a.label)) || a.x - b.x || a.y - b.y)
    .map(({ name }) => name);
  return [...steps, ...graph.notes.filter((note) => has(note.text)).map(({ index }) => `note ${index}`)];
}

function Field({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const { graph } = useGraph();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useMemo(() => findIn(graph, text), [graph, text]);
  const look = (list: string[], index: number) => {
    if (list.length === 0) return;
    const next = (index + list.length) % list.length;
    setAt(next);
    ui.getState().select([list[next]!]);
    actions.show([list[next]!]);
  };
  const close = () => {
    ui.getState().set({ find: false });
    const id = found[at];
    if (id) actions.focus(id);
  };
  return (
    <div className={classes.find} role="search">
      <TextInput
        size="xs"
        data-autofocus
        autoFocus
        aria-label={t("graphs.find.label")}
        placeholder={t("graphs.find.label")}
        leftSection={<IconSearch size={14} />}
        value={text}
        onChange={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          look(findIn(graph, next), 0);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
          else if (event.key === "Enter") look(found, at + (event.shiftKey ? -1 : 1));
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="muted small" role="status">
        {text.trim() && (found.length ? t("graphs.find.of", { n: at + 1, all: found.length }) : t("graphs.find.none"))}
      </span>
      <Tooltip label={t("graphs.find.previous")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("graphs.find.previous")}
          disabled={found.length < 2}
          onClick={() => look(found, at - 1)}
        >
          <IconChevronUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t("graphs.find.next")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("graphs.find.next")}
          disabled={found.length < 2}
          onClick={() => look(found, at + 1)}
        >
          <IconChevronDown size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t("common.close")}>
        <ActionIcon variant="subtle" color="gray" aria-label={t("common.close")} onClick={close}>
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** Finds steps on the canvas, opened by Ctrl+F. */
export function CanvasSearch({ actions }: { actions: Actions }) {
  const open = useUi((state) => state.find);
  return open ? <Field actions={actions} /> : null;
}
