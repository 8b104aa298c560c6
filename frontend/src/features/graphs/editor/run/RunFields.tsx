import { Select, Textarea, TextInput } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { environmentList } from "@/features/environments/requests/environmentList";
import { own } from "@/shared/own";
import { neededOf, toolsOf } from "../../document/needed";
import { useGraph } from "../context";
import { toolShape } from "../inspector/sources";
import { type Asked, isJson, parsed } from "./inputs";

export interface Typed {
  values: Record<string, string>;
  environment: string | null;
}

function Field({ asked, value, onChange }: { asked: Asked; value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const result = value === "" ? null : parsed(asked.type, value);
  const shared = {
    label: asked.name,
    description: asked.type === "message" ? t("graphs.firstMessage") : asked.description || undefined,
    error: result && !result.ok ? t(result.why) : undefined,
    "data-blank": value === "" || undefined,
  };
  if (asked.type === "bool")
    return (
      <Select
        {...shared}
        data={[
          { value: "true", label: t("run.ask.yes") },
          { value: "false", label: t("run.ask.no") },
        ]}
        value={value || null}
        clearable
        placeholder={t("run.notGiven")}
        clearButtonProps={{ "aria-label": t("common.clear") }}
        onChange={(next) => onChange(next ?? "")}
      />
    );
  if (asked.type === "int" || asked.type === "float")
    return (
      <TextInput
        {...shared}
        value={value}
        inputMode="decimal"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const json = isJson(asked.type);
  return (
    <Textarea
      {...shared}
      value={value}
      autosize
      minRows={json ? 3 : 1}
      maxRows={8}
      placeholder={json ? (asked.type === "dict" ? "{}" : t("graphs.oneALine")) : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function useEnvironmentNames(): string[] {
  const environments = useQuery({ queryKey: ["environments"], queryFn: () => environmentList() });
  return environments.data?.results.map((one) => one.name) ?? [];
}

/** The names that the graph takes from its environment, as far as its tools are read. */
function useNeeded(): string[] {
  const { nodes } = useGraph().graph;
  const tools = [...new Set(nodes.flatMap(toolsOf))];
  const shapes = useQueries({ queries: tools.map(toolShape) });
  return neededOf(nodes, (tool) => shapes[tools.indexOf(tool)]?.data?.env);
}

interface Props {
  asked: Asked[];
  typed: Typed;
  onChange: (typed: Typed) => void;
}

/** The inputs that a graph asks for, and the environment it runs with. */
export function RunFields({ asked, typed, onChange }: Props) {
  const { t } = useTranslation();
  const names = useEnvironmentNames();
  const needed = useNeeded();
  return (
    <>
      {asked.map((one) => (
        <Field
          key={one.name}
          asked={one}
          value={own(typed.values, one.name) ?? ""}
          onChange={(text) => onChange({ ...typed, values: { ...typed.values, [one.name]: text } })}
        />
      ))}
      {(names.length > 0 || needed.length > 0) && (
        <Select
          label={t("run.environment")}
          description={needed.length ? t("graphs.environmentNeeds", { names: needed.join(", ") }) : undefined}
          data={names}
          value={typed.environment && names.includes(typed.environment) ? typed.environment : null}
          clearable
          placeholder={t("run.noEnvironment")}
          nothingFoundMessage={t("run.noEnvironments")}
          clearButtonProps={{ "aria-label": t("common.clear") }}
          onChange={(next) => onChange({ ...typed, environment: next })}
        />
      )}
    </>
  );
}
