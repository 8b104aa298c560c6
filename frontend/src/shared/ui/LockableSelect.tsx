import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from "@mantine/core";

/** The field inside of a list is always read-only, so that one that is locked has to be marked to look like it. */
const locked = (readOnly: boolean | undefined) =>
  readOnly ? { "data-locked": true, rightSection: <span />, clearable: false } : {};

/** A choice that looks like any other field that is only read where it is that. */
export function LockableSelect(props: SelectProps) {
  return <Select {...props} {...locked(props.readOnly)} />;
}

/** Several choices; see `LockableSelect`. */
export function LockableMultiSelect(props: MultiSelectProps) {
  return <MultiSelect {...props} {...locked(props.readOnly)} />;
}
