import { JsonInput, SegmentedControl } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { parseDocument } from "yaml";
import { usePending } from "@/shared/editor/useField";
import { tryParseJson } from "@/shared/json/exact";
import { type Path, type Plain, plainOf, valueOf } from "@/shared/yaml/plain";
import { pathText } from "../../document/graph";
import { put } from "../../document/graphEdits";
import { fieldsOf } from "../../document/schemaEdits";
import { useEditor, useGraph, useProblem } from "../context";
import classes from "../Editor.module.css";
import { SchemaFields } from "./SchemaFields";

interface Props {
  label: string;
  description?: string;
  path: Path;
  value: Plain | undefined;
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

function JsonText({ label, path, value }: Props) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
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
    if (text.trim() === "") edit(put(path, null));
    else
      setWrong(
        tryParseJson(text) === null ||
          !edit(put(path, valueOf(plainOf(parseDocument(text, { schema: "json" }).contents)))),
      );
  };
  usePending(text === stored ? null : commit);
  return (
    <JsonInput
      aria-label={label}
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

/** A JSON Schema: as fields, or as the JSON that they stand for. */
export function SchemaField(props: Props) {
  const { label, description, path, value } = props;
  const { t } = useTranslation();
  const [asJson, setAsJson] = useState(false);
  const problem = useProblem(pathText(path), true);
  const simple = fieldsOf(value) !== null;
  const view = simple && !asJson ? "fields" : "json";
  return (
    <fieldset className={classes.rows}>
      <legend>{label}</legend>
      {description && <p className="muted small">{description}</p>}
      <SegmentedControl
        fullWidth
        size="xs"
        value={view}
        aria-label={t("graphs.schemaAs", { name: label })}
        onChange={(next) => setAsJson(next === "json")}
        data={[
          { value: "fields", label: t("graphs.asFields"), disabled: !simple },
          { value: "json", label: "JSON" },
        ]}
      />
      {view === "json" ? (
        <JsonText {...props} />
      ) : (
        <>
          {problem && (
            <p className={classes.problem} role="alert">
              {problem}
            </p>
          )}
          <SchemaFields label={label} path={path} value={value} />
        </>
      )}
    </fieldset>
  );
}
