import { useTranslation } from "react-i18next";
import type { Path } from "@/shared/yaml/plain";
import { Said } from "@/shared/ui/Said";
import { type Field, pathText } from "../../document/tool";
import { FormSelect } from "./FormSelect";
import { useForm, useToolForm, useProblem } from "./FormContext";
import { stepTitle } from "./stepTitle";

interface Props {
  label: string;
  path: Path;
  field: Field;
  hideLabel?: boolean;
  /** What nothing picked means; the field is then taken out. */
  none?: string;
}

/** A step to go to. */
export function StepSelect({ label, path, field, hideLabel, none }: Props) {
  const { t } = useTranslation();
  const { edit } = useForm();
  const form = useToolForm();
  const error = useProblem(path, false);
  const steps = form.steps.map((step, n) => ({
    value: String(n),
    label: `${t("form.stepN", { n })} · ${stepTitle(step, t("form.noUrl"))}`,
  }));
  const known = field.kind === "absent" || steps.some(({ value }) => value === field.text);
  const data = [
    ...(none === undefined ? [] : [{ value: "none", label: none }]),
    ...steps,
    ...(known ? [] : [{ value: field.text, label: field.text || "?" }]),
  ];
  return (
    <FormSelect
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      data={data}
      error={error && <Said text={error} />}
      data-path={pathText(path)}
      value={field.kind === "absent" ? (none === undefined ? null : "none") : field.text}
      onChange={(value) =>
        value !== null && edit({ do: "whole", path, value: value === "none" ? null : Number(value) })
      }
    />
  );
}
