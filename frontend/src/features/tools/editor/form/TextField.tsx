import { Textarea, TextInput } from "@mantine/core";
import { type ClipboardEvent, useRef } from "react";
import { Said } from "@/shared/ui/Said";
import type { Path } from "@/shared/yaml/plain";
import { pathText, type Field } from "../../document/tool";
import { useForm, useProblem } from "./FormContext";
import { LastValues } from "./LastValues";
import { ReferenceMenu } from "./ReferenceMenu";
import { useField } from "@/shared/editor/useField";
import classes from "./Form.module.css";

interface Props {
  label: string;
  path: Path;
  field: Field;
  placeholder?: string;
  description?: string;
  /** Taken out of the document when emptied. */
  optional?: boolean;
  mono?: boolean;
  lines?: boolean;
  /** References of the steps before this one can be put in. */
  references?: number;
  /** The label is for those who can't see the row's heading. */
  hideLabel?: boolean;
  /** Writes the text in another way than into `path`. */
  commit?: (text: string) => boolean;
  /** Takes what is pasted somewhere else, where that is not meant for the field; true when it did. */
  onPasted?: (text: string) => boolean;
}

/** A text of the document. */
export function TextField(props: Props) {
  const { label, path, field, placeholder, description, optional, mono, lines, references, hideLabel } = props;
  const { edit, readOnly, warnings } = useForm();
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const id = pathText(path);
  const commit = props.commit ?? ((text: string) => edit({ do: "text", path, value: text, optional }, id));
  const state = useField(field.text, commit);
  const error = useProblem(path, state.refused);

  const insert = (reference: string) => {
    const element = box.current;
    const start = element?.selectionStart ?? state.value.length;
    const end = element?.selectionEnd ?? start;
    state.set(state.value.slice(0, start) + reference + state.value.slice(end));
    requestAnimationFrame(() => {
      element?.focus();
      element?.setSelectionRange(start + reference.length, start + reference.length);
    });
  };
  const shared = {
    ref: box,
    value: state.value,
    placeholder,
    description,
    error: error && <Said text={error} />,
    readOnly,
    "data-path": id,
    spellCheck: !mono,
    label: hideLabel ? undefined : label,
    "aria-label": hideLabel ? label : undefined,
    onPaste: (event: ClipboardEvent) => {
      if (!readOnly && props.onPasted?.(event.clipboardData.getData("text/plain"))) event.preventDefault();
    },
    onChange: (e: { currentTarget: { value: string } }) => state.set(e.currentTarget.value),
    styles: mono ? { input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } } : undefined,
    rightSection:
      references === undefined || readOnly ? undefined : (
        <ReferenceMenu step={references} field={label} onPick={insert} />
      ),
  };
  const warned = error ? undefined : warnings.get(id);
  const last = (
    <>
      {warned && (
        <p className={classes.warned}>
          <Said text={warned} />
        </p>
      )}
      {references !== undefined && <LastValues text={state.value} />}
    </>
  );
  if (!lines)
    return (
      <div>
        <TextInput {...shared} />
        {last}
      </div>
    );
  return (
    <div>
      <Textarea
        {...shared}
        autosize
        minRows={2}
        maxRows={14}
        rightSectionProps={{ style: { alignItems: "flex-start", paddingTop: 4 } }}
      />
      {last}
    </div>
  );
}
