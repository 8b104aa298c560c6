import { Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { environmentList } from "@/features/environments/requests/environmentList";
import { useEffect, useRef } from "react";
import { own } from "@/shared/own";
import { isWanted, type ToolForm } from "../../document/tool";
import { useEditor } from "../EditorContext";
import { useRunStart } from "./RunStart";
import classes from "./RunPanel.module.css";

interface Argument {
  name: string;
  type: string;
  wanted: boolean;
  description: string;
  fallback: string | null;
}

function useArguments(): { params: Argument[]; env: string[] } {
  const reading = useEditor((state) => state.reading);
  const last = useRef<ToolForm | null>(null);
  if (reading.form) last.current = reading.form;
  const form = last.current;
  if (!form) return { params: [], env: [] };
  const params = form.params
    .filter(({ name }) => name.text !== "")
    .map((param) => ({
      name: param.name.text,
      type: param.type.text,
      wanted: isWanted(param),
      description: param.description.text,
      fallback: param.default.kind === "absent" ? null : param.default.text,
    }));
  return { params, env: form.env.map(({ text }) => text) };
}

function Argument({ param }: { param: Argument }) {
  const { t } = useTranslation();
  const { inputs, missed } = useRunStart();
  const value = own(inputs.values, param.name) ?? "";
  const placeholder = param.fallback === null ? undefined : t("run.defaultIs", { value: param.fallback });
  const number = param.type === "integer" || param.type === "number";
  const fits =
    value === "" || !number || (param.type === "integer" ? /^-?\d+$/ : /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/).test(value);
  const shared = {
    label: param.name,
    description: param.description || undefined,
    required: param.wanted,
    placeholder,
    error: !fits
      ? t(param.type === "integer" ? "run.wantsInteger" : "run.wantsNumber")
      : param.wanted && missed > 0 && value === ""
        ? t("run.wantsValue")
        : undefined,
  };
  if (param.type === "boolean") {
    return (
      <Select
        {...shared}
        placeholder={placeholder ?? t("run.notGiven")}
        data={["true", "false"]}
        value={value || null}
        clearable
        clearButtonProps={{ "aria-label": t("common.clear") }}
        onChange={(picked) => inputs.setValue(param.name, picked ?? "")}
      />
    );
  }
  const onChange = (e: { currentTarget: { value: string } }) => inputs.setValue(param.name, e.currentTarget.value);
  if (number) return <TextInput {...shared} value={value} onChange={onChange} inputMode="decimal" />;
  return <Textarea {...shared} value={value} onChange={onChange} autosize minRows={1} maxRows={6} />;
}

/** The inputs that the tool asks for, and the environment it runs in. */
export function ArgumentsForm() {
  const { t } = useTranslation();
  const { inputs, missed } = useRunStart();
  const { params, env } = useArguments();
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (missed > 0) fields.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [missed]);
  const environments = useQuery({ queryKey: ["environments"], queryFn: () => environmentList() });
  const names = environments.data?.results.map(({ name }) => name) ?? [];
  const picked = inputs.environment && names.includes(inputs.environment) ? inputs.environment : null;
  return (
    <div ref={fields} className={classes.arguments} role="group" data-arguments aria-label={t("run.arguments")}>
      {params.length === 0 && <p className="muted small">{t("run.noInputs")}</p>}
      {params.map((param) => (
        <Argument key={param.name} param={param} />
      ))}
      {(names.length > 0 || env.length > 0) && (
        <Select
          label={t("run.environment")}
          data={names}
          value={picked}
          clearable
          placeholder={t("run.noEnvironment")}
          description={env.length ? t("run.environmentNeeds", { names: env.join(", ") }) : undefined}
          onChange={inputs.setEnvironment}
          clearButtonProps={{ "aria-label": t("common.clear") }}
          nothingFoundMessage={t("run.noEnvironments")}
        />
      )}
    </div>
  );
}
