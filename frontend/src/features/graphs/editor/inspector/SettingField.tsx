import { Checkbox, JsonInput, MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { parseDocument } from "yaml";
import { toolList } from "@/features/tools/requests/toolList";
import { toolRead } from "@/features/tools/requests/toolRead";
import { Flow, type Plain, plainOf, valueOf } from "@/shared/yaml/plain";
import { fieldOf, type GraphNode, pathText, textOf } from "../../document/graph";
import { put } from "../../document/graphEdits";
import { graphList, graphRead } from "../../requests/graphRequests";
import { useEditor, useGraph, useProblem } from "../context";
import { DocField } from "./fields";
import { Rows } from "./Rows";

export interface SettingSchema {
  title?: string;
  description?: string;
  type?: string;
  enum?: string[];
  anyOf?: { type?: string }[];
  default?: unknown;
  "x-kind"?: string;
  "x-widget"?: string;
}

interface Props {
  node: GraphNode;
  name: string;
  schema: SettingSchema;
  required: boolean;
}

/** JSON as it would be read back: numbers keep their digits. */
function jsonOf(plain: Plain | undefined, indent = ""): string {
  if (!plain || "nothing" in plain) return "null";
  if ("text" in plain) return JSON.stringify(plain.text);
  if ("number" in plain) return plain.number;
  if ("bool" in plain) return String(plain.bool);
  const inner = `${indent}  `;
  if ("seq" in plain)
    return plain.seq.length
      ? `[\n${plain.seq.map((item) => inner + jsonOf(item, inner)).join(",\n")}\n${indent}]`
      : "[]";
  return plain.map.length
    ? `{\n${plain.map.map(([key, item]) => `${inner}${JSON.stringify(key)}: ${jsonOf(item, inner)}`).join(",\n")}\n${indent}}`
    : "{}";
}

function SchemaField({ node, name, schema }: Props) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const path = ["nodes", node.name, "settings", name];
  const value = fieldOf(node.settings, name);
  const stored = value ? jsonOf(value) : "";
  const [text, setText] = useState(stored);
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText(stored);
    setWrong(false);
  }, [stored]);
  const problem = useProblem(pathText(path), true);
  const commit = () => {
    if (text === stored) return;
    if (text.trim() === "") {
      edit(put(path, null));
      return;
    }
    try {
      JSON.parse(text);
      setWrong(!edit(put(path, valueOf(plainOf(parseDocument(text).contents)))));
    } catch {
      setWrong(true);
    }
  };
  return (
    <JsonInput
      label={schema.title}
      description={schema.description}
      value={text}
      onChange={setText}
      onBlur={commit}
      readOnly={locked}
      autosize
      minRows={4}
      maxRows={16}
      spellCheck={false}
      data-path={pathText(path)}
      error={wrong ? t("graphs.notJson") : problem}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
    />
  );
}

function useNames(widget: string | undefined): string[] {
  const tools = useQuery({
    queryKey: ["tools", "names"],
    queryFn: () => toolList({}),
    enabled: widget === "tool" || widget === "tools",
  });
  const graphs = useQuery({
    queryKey: ["graphs", "names"],
    queryFn: () => graphList({}),
    enabled: widget === "graph",
  });
  return (widget === "graph" ? graphs.data : tools.data)?.results.map(({ name }) => name) ?? [];
}

/** The names of what a tool or graph asks for. */
function useKnownInputs({ node, name }: Props): string[] {
  const tool = name === "params" ? textOf(fieldOf(node.settings, "tool")) : "";
  const graph = name === "inputs" ? textOf(fieldOf(node.settings, "graph")) : "";
  const asked = useQuery({
    queryKey: ["tool-params", tool],
    queryFn: () => toolRead(tool),
    enabled: tool !== "",
    retry: false,
  });
  const other = useQuery({
    queryKey: ["graph-inputs", graph],
    queryFn: () => graphRead(graph),
    enabled: graph !== "",
    retry: false,
  });
  if (tool) return asked.data?.params.map((param) => param.name) ?? [];
  return graph ? (other.data?.inputs.map((input) => input.name) ?? []) : [];
}

function PickField(props: Props) {
  const { node, name, schema, required } = props;
  const edit = useEditor((state) => state.edit);
  const { t } = useTranslation();
  const { locked } = useGraph();
  const path = ["nodes", node.name, "settings", name];
  const value = fieldOf(node.settings, name);
  const names = useNames(schema["x-widget"]);
  const problem = useProblem(pathText(path), true);
  const shared = {
    label: schema.title,
    description: schema.description,
    readOnly: locked,
    error: problem,
    searchable: true,
    nothingFoundMessage: t("graphs.nothingFits"),
    "data-path": pathText(path),
  };
  if (schema["x-widget"] === "tools") {
    const picked = value && "seq" in value ? value.seq.map(textOf) : [];
    return (
      <MultiSelect
        {...shared}
        data={[...new Set([...names, ...picked])]}
        value={picked}
        onChange={(next) => edit(put(path, next.length ? new Flow(next) : null))}
      />
    );
  }
  const now = textOf(value);
  return (
    <Select
      {...shared}
      data={[...new Set([...names, ...(now ? [now] : [])])]}
      value={now || null}
      clearable={!required}
      clearButtonProps={{ "aria-label": t("common.clear") }}
      onChange={(next) => edit(put(path, next))}
    />
  );
}

/** A list of texts, one a line; a lone reference stands for a list. */
function LinesField({ node, name, schema }: Props) {
  const edit = useEditor((state) => state.edit);
  const path = ["nodes", node.name, "settings", name];
  const value = fieldOf(node.settings, name);
  const text = value && "seq" in value ? value.seq.map(textOf).join("\n") : textOf(value);
  const commit = (next: string) => {
    const lines = next.split("\n");
    const reference = /^\$\{[^{}]*\}$/.test(next.trim());
    return edit(
      put(path, next.trim() === "" ? null : reference ? next.trim() : lines.filter((line) => line.trim() !== "")),
      pathText(path),
    );
  };
  return (
    <DocField
      label={schema.title ?? name}
      description={schema.description}
      path={path}
      value={text}
      lines
      references={node.name}
      commit={commit}
    />
  );
}

/** One setting of a step, edited in the way that its schema tells. */
export function SettingField(props: Props) {
  const { node, name, schema, required } = props;
  const edit = useEditor((state) => state.edit);
  const { t } = useTranslation();
  const { locked } = useGraph();
  const known = useKnownInputs(props);
  const path = ["nodes", node.name, "settings", name];
  const value = fieldOf(node.settings, name);
  const problem = useProblem(pathText(path));
  const kind = schema["x-kind"];
  const widget = schema["x-widget"];
  const types = [schema.type, ...(schema.anyOf ?? []).map(({ type }) => type)];
  const label = schema.title ?? name;
  if (widget === "tool" || widget === "tools" || widget === "graph") return <PickField {...props} />;
  if (kind === "schema") return <SchemaField {...props} />;
  if (schema.type === "object") {
    return (
      <Rows
        label={label}
        description={schema.description}
        path={path}
        entries={value && "map" in value ? value.map : []}
        known={known}
        mono={kind === "expression"}
        references={kind === "template" ? node.name : undefined}
        fresh="value"
      />
    );
  }
  if (schema.enum) {
    return (
      <Select
        label={label}
        description={schema.description}
        data={schema.enum}
        value={textOf(value) || String(schema.default ?? "")}
        readOnly={locked}
        error={problem}
        onChange={(next) => edit(put(path, next === schema.default && !required ? null : next))}
      />
    );
  }
  if (schema.type === "boolean") {
    const on = value && "bool" in value ? value.bool : schema.default === true;
    return (
      <Checkbox
        label={label}
        description={schema.description}
        checked={on}
        disabled={locked}
        onChange={(event) => {
          const next = event.currentTarget.checked;
          edit(put(path, next === schema.default ? null : next));
        }}
      />
    );
  }
  if (name === "choices") return <LinesField {...props} />;
  const number = types.includes("number") || types.includes("integer");
  if (value && ("map" in value || "seq" in value)) {
    return (
      <p className="muted small">
        {label}: {t("graphs.inYaml")}
      </p>
    );
  }
  const fallback = schema.default === null || schema.default === undefined ? "" : String(schema.default);
  return (
    <DocField
      label={label}
      description={schema.description}
      path={path}
      value={textOf(value)}
      placeholder={fallback || undefined}
      optional={!required}
      number={number}
      lines={widget === "text"}
      references={kind === "template" ? node.name : undefined}
    />
  );
}
