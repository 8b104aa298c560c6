import type { SelectProps } from "@mantine/core";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import { useForm } from "./FormContext";

/** A choice of the document; locked where the form may only be read. */
export function FormSelect(props: SelectProps) {
  const { readOnly } = useForm();
  return <LockableSelect {...props} readOnly={readOnly} />;
}
