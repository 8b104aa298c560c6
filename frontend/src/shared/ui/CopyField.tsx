import { TextInput } from "@mantine/core";
import { CopyButton } from "./CopyButton";

/** A text to hand over, with a button that copies it. */
export function CopyField({ label, text, description }: { label: string; text: string; description?: string }) {
  return (
    <TextInput
      label={label}
      description={description}
      value={text}
      readOnly
      onFocus={(e) => e.currentTarget.select()}
      rightSection={<CopyButton text={text} />}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
    />
  );
}
