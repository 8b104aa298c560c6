import { ActionIcon, Button, TextInput, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Path, type Plain, type Value } from "@/shared/yaml/plain";
import { textOf } from "../../document/graph";
import { put } from "../../document/graphEdits";
import { freeName } from "../../document/names";
import { useEditor, useGraph } from "../context";
import { DocField } from "./fields";
import classes from "../Editor.module.css";

interface Props {
  label: string;
  description?: string;
  path: Path;
  entries: [string, Plain][];
  /** Names that are offered, whether or not they have a value yet. */
  known?: readonly string[];
  mono?: boolean;
  references?: string;
  fresh: string;
}

/** A name that is changed when the field is left, since its path is its name. */
function KeyField({ path, name, taken }: { path: Path; name: string; taken: readonly string[] }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    const to = text?.trim();
    setText(null);
    if (to && to !== name && !taken.includes(to)) edit(() => [{ op: "rename", path: [...path, name], key: to }]);
  };
  return (
    <TextInput
      aria-label={t("graphs.nameOf", { name })}
      value={text ?? name}
      readOnly={locked}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
    />
  );
}

/** A map of the document as rows: name and value. */
export function Rows({ label, description, path, entries, known = [], mono, references, fresh }: Props) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const names = entries.map(([name]) => name);
  const rows: [string, Plain | null][] = [
    ...entries,
    ...known.filter((name) => !names.includes(name)).map((name): [string, null] => [name, null]),
  ];
  const add = () => {
    const value: Value = mono ? '""' : "";
    edit(put([...path, freeName(fresh, new Set(rows.map(([name]) => name)))], value));
  };
  return (
    <fieldset className={classes.rows}>
      <legend>{label}</legend>
      {description && <p className="muted small">{description}</p>}
      {rows.map(([name, value]) => (
        <div key={name} className={classes.pair}>
          {known.includes(name) ? (
            <code className="truncate" title={name}>
              {name}
            </code>
          ) : (
            <KeyField path={path} name={name} taken={names} />
          )}
          {value && ("map" in value || "seq" in value) ? (
            <span className="muted small">{t("graphs.inYaml")}</span>
          ) : (
            <DocField
              label={t("graphs.valueOf", { name })}
              hideLabel
              path={[...path, name]}
              value={value ? textOf(value) : ""}
              optional={known.includes(name)}
              mono={mono}
              references={references}
              placeholder={mono ? "state.total * 2.0" : undefined}
            />
          )}
          {!locked && !known.includes(name) && (
            <Tooltip label={t("form.remove", { name })}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("form.remove", { name })}
                onClick={() => edit(put([...path, name], null))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      ))}
      {!locked && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={add}>
          {t("graphs.addRow", { what: label })}
        </Button>
      )}
    </fieldset>
  );
}
