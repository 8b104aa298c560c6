import { Textarea, TextInput } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useField } from "@/shared/editor/useField";
import { Said } from "@/shared/ui/Said";
import { type Path, Raw, type Value } from "@/shared/yaml/plain";
import { pathText } from "../../document/graph";
import { put } from "../../document/graphEdits";
import { useEditor, useGraph, useProblem } from "../context";
import { ReferenceMenu } from "./ReferenceMenu";

interface Props {
  label: string;
  path: Path;
  value: string;
  description?: string;
  placeholder?: string;
  optional?: boolean;
  mono?: boolean;
  lines?: boolean;
  /** A number is written as one. */
  number?: boolean;
  hideLabel?: boolean;
  /** References that exist at this step can be put in. */
  references?: string;
  /** Takes the text otherwise than by writing it to `path`. */
  commit?: (text: string) => boolean;
  inputRef?: React.Ref<HTMLInputElement>;
  wrong?: (text: string) => string | undefined;
}

/** From this length on a document is written when typing pauses, not at every key. */
const LONG = 16_000;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function numberOrText(text: string): Value {
  return NUMBER.test(text) ? new Raw(text) : text;
}

/** A text of the document, written as it is typed. */
export function DocField(props: Props) {
  const { label, path, value, description, placeholder, optional, mono, lines, number, hideLabel, references } = props;
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const id = pathText(path);
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const commit =
    props.commit ??
    ((text: string) => edit(put(path, optional && text === "" ? null : number ? numberOrText(text) : text), id));
  const long = useEditor((state) => state.text.length > LONG);
  const field = useField(value, commit, long ? 250 : 0);
  const problem = useProblem(id, true);
  const error = field.refused ? t("form.refused") : (props.wrong?.(field.value) ?? problem);
  const insert = (reference: string) => {
    const element = box.current;
    const start = element?.selectionStart ?? field.value.length;
    const end = element?.selectionEnd ?? start;
    field.set(field.value.slice(0, start) + reference + field.value.slice(end));
    requestAnimationFrame(() => {
      element?.focus();
      element?.setSelectionRange(start + reference.length, start + reference.length);
    });
  };
  const shared = {
    value: field.value,
    placeholder,
    description,
    error: error && <Said text={error} />,
    readOnly: locked,
    "data-path": id,
    spellCheck: !mono,
    label: hideLabel ? undefined : label,
    "aria-label": hideLabel ? label : undefined,
    onBlur: field.flush,
    onChange: (event: { currentTarget: { value: string } }) => field.set(event.currentTarget.value),
    styles: mono ? { input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } } : undefined,
    rightSection:
      references === undefined || locked ? undefined : (
        <ReferenceMenu node={references} field={label} expression={mono} onPick={insert} />
      ),
  };
  const ref = (element: (HTMLInputElement & HTMLTextAreaElement) | null) => {
    box.current = element;
    if (typeof props.inputRef === "function") props.inputRef(element);
    else if (props.inputRef) (props.inputRef as { current: HTMLInputElement | null }).current = element;
  };
  return lines ? (
    <Textarea
      ref={ref}
      {...shared}
      autosize
      minRows={2}
      maxRows={14}
      rightSectionProps={{ style: { alignItems: "flex-start", paddingTop: 4 } }}
    />
  ) : (
    <TextInput ref={ref} {...shared} inputMode={number ? "decimal" : undefined} />
  );
}
