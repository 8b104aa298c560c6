import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useField } from "@/shared/editor/useField";
import type { Branch } from "../../document/condition";
import { useGraph } from "../context";

/** With what a row compares. */
export function ConditionValue({ branch, onChange }: { branch: Branch; onChange: (value: string) => boolean }) {
  const { t } = useTranslation();
  const { locked } = useGraph();
  const fits = (text: string) => !branch.number || /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  const field = useField(branch.value, (text) => (fits(text) ? onChange(text) : true));
  return (
    <TextInput
      aria-label={t("form.value")}
      style={{ flex: 1 }}
      value={field.value}
      readOnly={locked}
      inputMode={branch.number ? "decimal" : undefined}
      error={fits(field.value) ? undefined : t("run.wantsNumber")}
      onChange={(event) => field.set(event.currentTarget.value)}
    />
  );
}
