import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { own } from "@/shared/own";
import { fieldOf, type GraphNode, pathText, textOf } from "../../document/graph";
import { put } from "../../document/graphEdits";
import type { Parameter, Sources } from "../../document/outputs";
import { type Definitions, resolved, type Schema } from "../../document/shape";
import { useEditor, useGraph, useProblem } from "../context";
import { ModelField, PickField } from "./PickField";
import { SchemaField } from "./SchemaField";
import { ValueField } from "./values/ValueField";

interface Props {
  node: GraphNode;
  name: string;
  schema: Schema;
  definitions: Definitions;
  required: boolean;
  sources: Sources;
}

/** Settings whose fields another document knows: the parameters of a tool, the inputs of a graph. */
const NAMED_BY: Record<string, "tool" | "graph"> = { params: "tool", inputs: "graph" };

const TYPES: Record<string, Schema> = {
  str: { type: "string" },
  int: { type: "integer" },
  float: { type: "number" },
  bool: { type: "boolean" },
  list: { type: "array" },
  dict: { type: "object" },
  any: {},
};

function withFields(schema: Schema, known: readonly Parameter[]): Schema {
  const properties = known.map(({ name, type, description }): [string, Schema] => [
    name,
    { ...own(TYPES, type), title: name, description },
  ]);
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: known.filter((one) => one.required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Whether the settings that this one belongs to are as it needs them. */
function useShown({ node, name, schema }: Props, schemas: Record<string, Schema>): boolean {
  const problem = useProblem(pathText(["nodes", node.name, "settings", name]), true);
  const fits = Object.entries(schema["x-when"] ?? {}).every(([other, values]) => {
    const now = textOf(fieldOf(node.settings, other)) || String(schemas[other]?.default ?? "");
    return values.length === 0 ? now !== "" : values.includes(now);
  });
  return fits || problem !== undefined;
}

/** One setting of a step, edited in the way that its schema tells. */
export function SettingField(props: Props & { schemas: Record<string, Schema> }) {
  const { node, name, required, definitions, sources } = props;
  const edit = useEditor((state) => state.edit);
  const { t } = useTranslation();
  const { locked } = useGraph();
  const shown = useShown(props, props.schemas);
  const path = ["nodes", node.name, "settings", name];
  const value = fieldOf(node.settings, name);
  const schema = resolved(props.schema, definitions);
  const kind = schema["x-kind"];
  const widget = schema["x-widget"];
  const label = schema.title ?? name;
  const given = { path, value, schema, label, required };
  if (!shown) return null;
  if (widget === "tool" || widget === "tools" || widget === "graph") return <PickField {...given} />;
  if (widget === "model") return <ModelField {...given} />;
  if (kind === "schema") return <SchemaField {...given} description={schema.description} />;
  if (schema.type === "boolean" && kind !== "template") {
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
  const source = schema.type === "object" ? own(NAMED_BY, name) : undefined;
  const document = source && textOf(fieldOf(node.settings, source));
  const known = document
    ? source === "tool"
      ? sources.tool(document)?.params
      : sources.graph(document)?.inputs
    : undefined;
  const written = value !== undefined && !("nothing" in value);
  if (source && !document && !written) return null;
  if (known?.length === 0 && !written)
    return <p className="muted small">{t("graphs.asksForNothing", { name: document })}</p>;
  const fallback = schema.default === null || schema.default === undefined ? "" : String(schema.default);
  return (
    <ValueField
      label={label}
      description={schema.description}
      path={path}
      value={value}
      schema={known ? withFields(schema, known) : schema}
      definitions={definitions}
      node={node.name}
      kind={kind}
      optional={!required}
      fallback={typeof schema.default === "object" ? undefined : fallback || undefined}
    />
  );
}
