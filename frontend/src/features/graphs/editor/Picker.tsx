import { TextInput } from "@mantine/core";
import { type Icon, IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { iconOf, titleOf } from "../canvas/kinds";
import { type PickerState, useGraph, useUiHandle } from "./context";
import classes from "./Editor.module.css";
import { matches } from "./matches";
import type { Actions } from "./useActions";
import { useStepChoices } from "./useStepChoices";

/** Room for all kinds of steps without scrolling, and what stands above and around the list, in px. */
const LIST_HEIGHT = 396;
const AROUND_LIST = 72;

interface Choice {
  id: string;
  name: string;
  label: string;
  hint: string;
  icon: Icon;
  act: () => void;
}

/** A list to pick from by a few letters: kinds of steps, or steps to connect to. */
export function Picker({ picker, actions, bounds }: { picker: PickerState; actions: Actions; bounds: DOMRect | null }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const { graph } = useGraph();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { from, what } = picker;
  const taken = new Set(graph.edges.filter(({ source }) => source === from).flatMap(({ targets }) => targets));
  const kinds = useStepChoices(what === "target" ? "" : text).map(({ call, of, label, description }): Choice => ({
    id: of === undefined ? `call-${call}` : `call-${call}-${of}`,
    name: of ?? call,
    label,
    hint: description,
    icon: iconOf(call),
    act: () => actions.addCall({ call, of }, picker.at, from),
  }));
  const steps = graph.nodes
    .filter(({ name }) => name !== from && !taken.has(name))
    .map((node): Choice => ({
      id: `node-${node.name}`,
      name: node.name,
      label: titleOf(node),
      hint: t("graphs.connectHint"),
      icon: iconOf(node.call),
      act: () => from && actions.connect(from, node.name),
    }));
  const all = what === "call" ? kinds : what === "target" ? steps : [...kinds, ...steps];
  const choices = matches(all, text, ({ label, hint, name }) => ({ label, name, words: hint }));
  const current = Math.min(at, choices.length - 1);
  const close = () => ui.getState().set({ picker: null });
  const pick = (index: number) => {
    close();
    choices[index]?.act();
    if (from && choices[index]?.id.startsWith("node-")) actions.focus(from);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "ArrowDown") setAt((current + 1) % Math.max(1, choices.length));
    else if (event.key === "ArrowUp") setAt((current - 1 + choices.length) % Math.max(1, choices.length));
    else if (event.key === "Enter" && choices[current]) pick(current);
    else if (event.key === "Escape") {
      close();
      if (from) actions.focus(from);
    } else return;
    event.preventDefault();
  };
  const title = what === "target" ? t("graphs.connectTo") : from ? t("graphs.addNext") : t("graphs.addStep");
  const left = Math.max(8, Math.min(picker.left, (bounds?.width ?? 600) - 308));
  const room = bounds?.height ?? 500;
  const listHeight = Math.max(120, Math.min(LIST_HEIGHT, room - AROUND_LIST));
  const top = Math.max(8, Math.min(picker.top, room - listHeight - AROUND_LIST));
  return (
    <div
      className={classes.picker}
      style={{ left, top }}
      role="dialog"
      aria-label={title}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <TextInput
        autoFocus
        value={text}
        placeholder={title}
        aria-label={title}
        leftSection={<IconSearch size={15} />}
        role="combobox"
        aria-expanded="true"
        aria-controls="graph-picker"
        aria-activedescendant={choices[current] ? `pick-${choices[current].id}` : undefined}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
      />
      <div
        role="listbox"
        id="graph-picker"
        aria-label={title}
        className={classes.choices}
        style={{ maxHeight: listHeight }}
      >
        {choices.map(({ id, label, hint, icon: Icon }, index) => (
          <div
            key={id}
            id={`pick-${id}`}
            role="option"
            aria-selected={index === current}
            className={classes.choice}
            onMouseMove={() => setAt(index)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(index)}
          >
            <Icon size={16} aria-hidden="true" />
            <span className={classes.choiceWords}>
              <span>{label}</span>
              <span className="muted small truncate">{hint}</span>
            </span>
          </div>
        ))}
        {choices.length === 0 && <p className="muted small">{t("graphs.nothingFits")}</p>}
      </div>
    </div>
  );
}
