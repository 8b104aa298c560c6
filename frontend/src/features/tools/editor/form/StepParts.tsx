import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StepForm } from "../../document/tool";
import { useAdd, useForm } from "./FormContext";
import { RowTools } from "./RowTools";
import { TextField } from "./TextField";
import { VariableRow } from "./VariableRow";
import classes from "./Form.module.css";

export function Part({
  title,
  add,
  onAdd,
  children,
}: {
  title: string;
  add?: string;
  onAdd?: () => void;
  children: ReactNode;
}) {
  const { readOnly } = useForm();
  return (
    <div className={classes.part} role="group" aria-label={title}>
      <div className={classes.partHead}>
        <h3>{title}</h3>
        {add && !readOnly && (
          <Button variant="subtle" size="compact-xs" leftSection={<IconPlus size={12} />} onClick={onAdd}>
            {add}
          </Button>
        )}
      </div>
      {children}
    </div>
  );
}

/** What stands in the columns below. */
function Columns({ names, tools }: { names: [string, string]; tools: number }) {
  return (
    <div className={classes.columns} aria-hidden="true">
      <span>{names[0]}</span>
      <span>{names[1]}</span>
      <i style={{ width: tools }} />
    </div>
  );
}

const toolsWidth = (count: number) => (count > 1 ? 84 : 28);

interface Props {
  step: StepForm;
  index: number;
}

function freeHeader(step: StepForm): string {
  const wanted = ["Accept", "Content-Type", "Authorization"].find(
    (name) => !step.headers.some(({ key }) => key.toLowerCase() === name.toLowerCase()),
  );
  if (wanted) return wanted;
  for (let n = 1; ; n += 1) if (!step.headers.some(({ key }) => key === `X-Header-${n}`)) return `X-Header-${n}`;
}

function freeVariable(step: StepForm): string {
  const names = step.vars.map(({ name }) => name.text);
  let fresh = "value";
  for (let n = 2; names.includes(fresh); n += 1) fresh = `value_${n}`;
  return fresh;
}

/** Adds one more of what a step has several of, and goes to its name. */
export function useAddTo({ step, index }: Props) {
  const add = useAdd();
  const at = (...rest: (string | number)[]) => ["steps", index, ...rest];
  return {
    header: () => {
      const key = freeHeader(step);
      add({ do: "addHeader", step: index, key, value: "" }, at("headers", key, "name"));
    },
    query: () => add({ do: "addQuery", step: index }, at("query", step.query.length, "key")),
    variable: () => add({ do: "addVar", step: index, name: freeVariable(step) }, at("var", step.vars.length, "name")),
  };
}

export function HeadersPart({ step, index }: Props) {
  const { t } = useTranslation();
  const { edit, readOnly } = useForm();
  const addTo = useAddTo({ step, index });
  if (step.headers.length === 0) return null;
  return (
    <Part title={t("form.headers")} add={t("form.addHeader")} onAdd={addTo.header}>
      <Columns names={[t("form.name"), t("form.value")]} tools={28} />
      {step.headers.map(({ key, value }, n) => (
        <div key={n} className={classes.pair}>
          <TextField
            label={t("form.headerName")}
            hideLabel
            path={["steps", index, "headers", key, "name"]}
            field={{ text: key, kind: "text" }}
            mono
            commit={(to) => edit({ do: "renameHeader", step: index, key, to }, `header-${index}-${n}`)}
          />
          <TextField
            label={t("form.headerValue", { name: key })}
            hideLabel
            path={["steps", index, "headers", key]}
            field={value}
            mono
            references={index}
          />
          {!readOnly && (
            <div className={classes.rowTools}>
              <Tooltip label={t("form.remove", { name: key })}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("form.remove", { name: key })}
                  onClick={() => edit({ do: "remove", path: ["steps", index, "headers", key] })}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </Tooltip>
            </div>
          )}
        </div>
      ))}
    </Part>
  );
}

export function QueryPart({ step, index }: Props) {
  const { t } = useTranslation();
  const addTo = useAddTo({ step, index });
  if (step.query.length === 0) return null;
  return (
    <Part title={t("form.query")} add={t("form.addQuery")} onAdd={addTo.query}>
      <Columns names={[t("form.name"), t("form.value")]} tools={toolsWidth(step.query.length)} />
      {step.query.map(({ key, value }, n) => (
        <div key={n} className={classes.pair}>
          <TextField
            label={t("form.queryKey")}
            hideLabel
            placeholder={t("form.queryKey")}
            path={["steps", index, "query", n, "key"]}
            field={key}
            mono
          />
          <TextField
            label={t("form.queryValue", { name: key.text || n + 1 })}
            hideLabel
            placeholder={t("form.value")}
            path={["steps", index, "query", n, "value"]}
            field={value}
            mono
            references={index}
          />
          <RowTools
            list={["steps", index, "query"]}
            index={n}
            count={step.query.length}
            name={key.text || t("form.queryKey")}
          />
        </div>
      ))}
    </Part>
  );
}

export function VariablesPart({ step, index }: Props) {
  const { t } = useTranslation();
  const addTo = useAddTo({ step, index });
  if (step.vars.length === 0) return null;
  return (
    <Part title={t("form.variables")} add={t("form.addVariable")} onAdd={addTo.variable}>
      {step.vars.map((variable, n) => (
        <VariableRow key={n} step={index} index={n} count={step.vars.length} variable={variable} />
      ))}
    </Part>
  );
}
