import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { type Field, shownIn, type Typed } from "./questionFields";

interface Props {
  fields: readonly Field[];
  typed: Typed;
  disabled: boolean;
  onType: (typed: Typed) => void;
}

/** The fields of a question that asks for more than one thing. */
export function FormFields({ fields, typed, disabled, onType }: Props) {
  return fields.map((field): ReactNode => {
    const set = (text: string) => onType(new Map(typed).set(field.name, text));
    const value = shownIn(field, typed);
    const shared = {
      label: field.label,
      description: field.description || undefined,
      required: field.required,
      disabled,
    };
    if (field.type === "boolean")
      return (
        <Checkbox
          key={field.name}
          label={field.label}
          description={field.description || undefined}
          disabled={disabled}
          checked={value === "true"}
          onChange={(e) => set(String(e.currentTarget.checked))}
        />
      );
    if (field.choices)
      return (
        <Select
          key={field.name}
          {...shared}
          data={field.choices.map(({ text }) => text)}
          value={value || null}
          onChange={(choice) => set(choice ?? "")}
        />
      );
    const number = field.type === "integer" || field.type === "number";
    if (field.type === "string" || number)
      return (
        <TextInput
          key={field.name}
          {...shared}
          value={value}
          inputMode={number ? "decimal" : undefined}
          onChange={(e) => set(e.currentTarget.value)}
        />
      );
    return (
      <Textarea
        key={field.name}
        {...shared}
        value={value}
        autosize
        minRows={2}
        onChange={(e) => set(e.currentTarget.value)}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
    );
  });
}
