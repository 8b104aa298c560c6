import { Autocomplete } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Flow, type Plain } from "@/shared/yaml/plain";
import { LockableMultiSelect, LockableSelect } from "@/shared/ui/LockableSelect";
import { pathText, textOf } from "../../document/graph";
import { type GraphEdit, put, putting } from "../../document/graphEdits";
import type { Schema } from "../../document/shape";
import { modelList } from "../../requests/modelList";
import { useEditor, useGraph, useProblem } from "../context";
import classes from "../Editor.module.css";
import { DocField } from "./fields";
import { useNames } from "./useNames";

interface Props {
  path: (string | number)[];
  value: Plain | undefined;
  schema: Schema;
  label: string;
  required: boolean;
}

/** Picks one, and takes out the setting that it stands instead of. */
function picking(path: (string | number)[], next: string | null, instead: string | undefined): GraphEdit {
  return (_, root) => {
    const other = instead ? [...path.slice(0, -1), instead] : [];
    const given = path.slice(0, -1).reduce<Plain | undefined>((at, part) => {
      return at && "map" in at ? at.map.find(([key]) => key === part)?.[1] : undefined;
    }, root);
    const replaces = next && instead && given && "map" in given && given.map.some(([key]) => key === instead);
    return [...putting(root, path, next), ...(replaces ? [{ op: "remove" as const, path: other }] : [])];
  };
}

export function PickField({ path, value, schema, label, required }: Props) {
  const edit = useEditor((state) => state.edit);
  const { t } = useTranslation();
  const { locked } = useGraph();
  const [search, setSearch] = useState("");
  const named = useNames(schema["x-widget"] === "graph" ? "graphs" : "tools", search);
  const names = named.map(({ name }) => name);
  const problem = useProblem(pathText(path), true);
  const begun = value !== undefined && "text" in value && value.text.trim() === "";
  const begunHint = (
    <span className={classes.likely}>
      {t(schema["x-widget"] === "graph" ? "graphs.begun.graph" : "graphs.begun.tool")}
    </span>
  );
  const shared = {
    label,
    description: begun && problem ? begunHint : schema.description,
    readOnly: locked,
    // Nothing picked is no mistake, only not done yet.
    error: begun ? undefined : problem,
    searchable: true,
    onSearchChange: setSearch,
    nothingFoundMessage: t("graphs.nothingFits"),
    renderOption: ({ option }: { option: { value: string } }) => {
      const description = named.find(({ name }) => name === option.value)?.description;
      return (
        <span className={classes.choiceWords}>
          <span>{option.value}</span>
          {description && <span className="muted small truncate">{description}</span>}
        </span>
      );
    },
    "data-path": pathText(path),
  };
  if (schema["x-widget"] === "tools") {
    const picked = value && "seq" in value ? value.seq.map(textOf) : [];
    return (
      <LockableMultiSelect
        {...shared}
        data={[...new Set([...names, ...picked])]}
        value={picked}
        onChange={(next) => edit(put(path, next.length ? new Flow(next) : null))}
      />
    );
  }
  const now = textOf(value);
  return (
    <LockableSelect
      {...shared}
      data={[...new Set([...names, ...(now ? [now] : [])])]}
      value={now || null}
      placeholder={t(schema["x-widget"] === "graph" ? "graphs.pickGraph" : "graphs.pickTool")}
      clearable={!required}
      clearButtonProps={{ "aria-label": t("common.clear") }}
      onChange={(next) => edit(picking(path, next, schema["x-instead"]))}
    />
  );
}

/** The model that is asked: one of those that are configured, or any name. */
export function ModelField({ path, value, schema, label }: Props) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const models = useQuery({ queryKey: ["models"], queryFn: modelList, staleTime: 60_000 });
  const problem = useProblem(pathText(path), true);
  const standard = models.data?.find((one) => one.default);
  if (models.isError)
    return <DocField label={label} description={schema.description} path={path} value={textOf(value)} optional />;
  const names = models.data?.flatMap(({ name, model }) => [name, model]) ?? [];
  const modelOf = (name: string) => models.data?.find((one) => one.name === name)?.model;
  return (
    <Autocomplete
      label={label}
      description={schema.description}
      placeholder={standard ? t("graphs.defaultModel", { name: standard.name }) : undefined}
      data={[...new Set(names)]}
      renderOption={({ option }) => {
        const model = modelOf(option.value);
        return (
          <span>
            {option.value}
            {model && model !== option.value && <span className="muted small"> · {model}</span>}
          </span>
        );
      }}
      value={textOf(value)}
      readOnly={locked}
      error={problem}
      data-path={pathText(path)}
      onChange={(next) => edit(put(path, next === "" ? null : next), pathText(path))}
    />
  );
}
