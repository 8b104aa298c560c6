import { Checkbox } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Said } from "@/shared/ui/Said";
import { PARAM_TYPES, type ParamForm } from "../../document/tool";
import { FormSelect } from "./FormSelect";
import { useAdd, useForm, useToolForm } from "./FormContext";
import { sameEntry } from "./sameEntry";
import { RowTools } from "./RowTools";
import { Section } from "./Section";
import { TextField } from "./TextField";
import classes from "./Form.module.css";

function freeName(taken: string[], stem: string): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? stem : `${stem}_${n}`;
    if (!taken.includes(name)) return name;
  }
}

const ParamCard = memo(function ParamCard({ param, index, count }: { param: ParamForm; index: number; count: number }) {
  const { t } = useTranslation();
  const { edit, readOnly, problems } = useForm();
  const typeProblem = problems.get(`params[${index}].type`);
  const name = param.name.text || t("form.inputN", { n: index + 1 });
  return (
    <div className={`${classes.card} ${classes.param}`} role="group" aria-label={t("form.inputNamed", { name })}>
      <div className={classes.paramTop}>
        <TextField label={t("form.name")} path={["params", index, "name"]} field={param.name} mono />
        <FormSelect
          label={t("form.type")}
          value={param.type.text || null}
          data-path={`params[${index}].type`}
          data={PARAM_TYPES.map((type) => ({ value: type, label: t(`form.types.${type}`) }))}
          error={typeProblem && <Said text={typeProblem} />}
          onChange={(type) => type && edit({ do: "text", path: ["params", index, "type"], value: type })}
        />
        <RowTools list={["params"]} index={index} count={count} name={name} />
      </div>
      <TextField label={t("form.paramDescription")} path={["params", index, "description"]} field={param.description} />
      <div className={classes.paramBottom}>
        <TextField
          label={t("form.default")}
          path={["params", index, "default"]}
          field={param.default}
          placeholder={t("form.noDefault")}
          commit={(text) =>
            edit(
              { do: "default", param: index, value: text === "" ? null : text, type: param.type.text },
              `params[${index}].default`,
            )
          }
        />
        <div className={classes.required} style={{ marginTop: 20 }}>
          <Checkbox
            label={t("form.required")}
            checked={param.required.text === "true"}
            disabled={readOnly}
            data-path={`params[${index}].required`}
            onChange={(e) => edit({ do: "flag", path: ["params", index, "required"], value: e.currentTarget.checked })}
          />
        </div>
      </div>
    </div>
  );
}, sameEntry);

/** What the tool is given by whoever calls it. */
export function ParamsForm() {
  const { t } = useTranslation();
  const add = useAdd();
  const form = useToolForm();
  const names = form.params.map(({ name }) => name.text);
  return (
    <Section
      title={t("form.inputs")}
      hint={form.params.length === 0 ? t("form.inputsHint") : undefined}
      add={t("form.addInput")}
      onAdd={() => add({ do: "addParam", name: freeName(names, "input") }, ["params", names.length, "name"])}
    >
      {form.params.map((param, index) => (
        <ParamCard key={index} param={param} index={index} count={form.params.length} />
      ))}
    </Section>
  );
}
