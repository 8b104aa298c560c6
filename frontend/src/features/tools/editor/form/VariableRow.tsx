import { useTranslation } from "react-i18next";
import type { VarForm } from "../../document/tool";
import type { MissingChoice } from "../../document/toolEdits";
import { StepSelect } from "./StepSelect";
import { useEditorHandle } from "../EditorContext";
import { DidYouMean } from "./DidYouMean";
import { FormSelect } from "./FormSelect";
import { useForm } from "./FormContext";
import { PatternMatch } from "./PatternMatch";
import { RowTools } from "./RowTools";
import { TextField } from "./TextField";
import classes from "./Form.module.css";

const KINDS = ["empty", "default", "abort", "jump"] as const;

interface Props {
  step: number;
  index: number;
  count: number;
  variable: VarForm;
}

/** A value taken out of the answer, and what happens when it isn't there. */
export function VariableRow({ step, index, count, variable }: Props) {
  const { t } = useTranslation();
  const { edit, readOnly } = useForm();
  const { store } = useEditorHandle();
  const { missing } = variable;
  const name = variable.name.text || t("form.variableN", { n: index + 1 });
  const choose = (kind: string | null) => {
    const choice: MissingChoice | null =
      kind === "default"
        ? { kind, value: "" }
        : kind === "jump"
          ? { kind, target: Math.min(step + 1, (store.getState().reading.form?.steps.length ?? 1) - 1) }
          : kind === "abort" || kind === "empty"
            ? { kind }
            : null;
    if (choice) edit({ do: "missing", step, index, missing: choice });
  };
  const path = (field: string) => ["steps", step, "var", index, field];
  return (
    <div className={classes.variable} role="group" aria-label={t("form.variableNamed", { name })}>
      <div className={classes.variableRow}>
        <TextField label={t("form.variableName")} path={path("name")} field={variable.name} mono />
        <div>
          <TextField
            label={t("form.extract")}
            placeholder={t("form.extractPlaceholder")}
            path={path("extract")}
            field={variable.extract}
            mono
            optional
          />
          <DidYouMean
            step={step}
            extract={variable.extract.text}
            onPick={(value) => edit({ do: "text", path: path("extract"), value })}
          />
          {!readOnly && <PatternMatch step={step} extract={variable.extract.text} />}
        </div>
        <RowTools labelled list={["steps", step, "var"]} index={index} count={count} name={name} />
      </div>
      <div className={classes.missing}>
        <span className="muted small">{t("form.whenMissing")}</span>
        <FormSelect
          aria-label={t("form.whenMissingOf", { name })}
          value={missing.kind}
          onChange={choose}
          data={KINDS.map((kind) => ({ value: kind, label: t(`form.missing.${kind}`) }))}
        />
        {missing.kind === "default" && (
          <TextField
            label={t("form.defaultOf", { name })}
            hideLabel
            placeholder={t("form.default")}
            path={path("default")}
            field={missing.value}
          />
        )}
        {missing.kind === "jump" && (
          <StepSelect label={t("form.jumpOf", { name })} path={path("jump")} field={missing.target} hideLabel />
        )}
      </div>
    </div>
  );
}
