import { ActionIcon, TextInput, Tooltip } from "@mantine/core";
import { IconChevronsLeft, IconNote, IconPlus, IconSearch } from "@tabler/icons-react";
import { useViewportSize } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { iconOf } from "../canvas/kinds";
import { useGraph, useUiHandle } from "./context";
import classes from "./Editor.module.css";
import type { StepChoice } from "./kindsFound";
import type { Actions } from "./useActions";
import { useStepChoices } from "./useStepChoices";

export const DRAGGED = "application/x-workbench-call";

/** The kinds of steps: drag one onto the canvas, or click it. */
export function Palette({ actions, narrow }: { actions: Actions; narrow: boolean }) {
  const { t } = useTranslation();
  const { width } = useViewportSize();
  const [open, setOpen] = useState<boolean | null>(null);
  const [text, setText] = useState("");
  const ui = useUiHandle();
  const { locked } = useGraph();
  const shown = useStepChoices(text);
  const isOpen = open ?? (width === 0 || width >= (narrow ? 1680 : 1200));
  const before = useRef(isOpen);
  useEffect(() => {
    if (before.current === isOpen) return;
    before.current = isOpen;
    const timer = setTimeout(() => actions.settle(), 80);
    return () => clearTimeout(timer);
  }, [isOpen, actions]);
  const add = ({ call, of }: StepChoice) => {
    const [from, ...more] = ui.getState().selected;
    const source = from && more.length === 0 && actions.graph()?.nodes.some(({ name }) => name === from);
    actions.addCall({ call, of }, undefined, source ? from : undefined);
  };
  if (!isOpen) {
    return (
      <div className={classes.paletteClosed}>
        <Tooltip label={`${t("graphs.palette")} (N)`} position="right">
          <ActionIcon variant="default" size="lg" aria-label={t("graphs.palette")} onClick={() => setOpen(true)}>
            <IconPlus size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
    );
  }
  return (
    <aside className={classes.palette} aria-label={t("graphs.palette")}>
      <div className="row">
        <TextInput
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          placeholder={t("graphs.searchSteps")}
          aria-label={t("graphs.searchSteps")}
          leftSection={<IconSearch size={15} />}
          style={{ flex: 1, minWidth: 0 }}
        />
        <Tooltip label={t("graphs.hidePalette")}>
          <ActionIcon variant="subtle" color="gray" aria-label={t("graphs.hidePalette")} onClick={() => setOpen(false)}>
            <IconChevronsLeft size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.calls}>
        {shown.map((one) => {
          const { call, of, label, description } = one;
          const Kind = iconOf(call);
          return (
            <button
              key={`${call} ${of ?? ""}`}
              type="button"
              className={classes.call}
              disabled={locked}
              draggable={!locked}
              title={description}
              onDragStart={(event) => {
                event.dataTransfer.setData(DRAGGED, JSON.stringify({ call, of }));
                event.dataTransfer.effectAllowed = "copy";
              }}
              onClick={() => add(one)}
            >
              <Kind size={16} aria-hidden="true" />
              <span className={classes.callWords}>
                <b>{label}</b>
                <span className="muted small">{description}</span>
              </span>
            </button>
          );
        })}
        <button
          type="button"
          className={classes.call}
          disabled={locked}
          onClick={() => actions.addNote(t("graphs.newNote"))}
        >
          <IconNote size={16} aria-hidden="true" />
          <span className={classes.callWords}>
            <b>{t("graphs.note")}</b>
            <span className="muted small">{t("graphs.noteHint")}</span>
          </span>
        </button>
      </div>
    </aside>
  );
}
