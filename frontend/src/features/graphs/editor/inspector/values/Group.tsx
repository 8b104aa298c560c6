import { Button, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePending } from "@/shared/editor/useField";
import type { Path } from "@/shared/yaml/plain";
import { fieldOf } from "../../../document/graph";
import { put, renameKey } from "../../../document/graphEdits";
import { freeName } from "../../../document/names";
import { freshValue, resolved, type Schema, type Way, waysOf } from "../../../document/shape";
import { useEditor, useGraph } from "../../context";
import classes from "../../Editor.module.css";
import { Row } from "./Row";
import { ValueField } from "./ValueField";
import { inherited, type ValueProps } from "./way";

/** A name that is changed when the field is left, since its path is its name. */
export function KeyField({
  path,
  name,
  taken,
  onRename,
}: {
  path: Path;
  name: string;
  taken: readonly string[];
  onRename?: (to: string) => void;
}) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const [text, setText] = useState<string | null>(null);
  const to = text?.trim() ?? name;
  const doubled = to !== name && taken.includes(to);
  const commit = () => {
    setText(null);
    if (to === "" || to === name || doubled) return;
    if (onRename) onRename(to);
    else edit(renameKey([...path, name], to));
  };
  usePending(text === null ? null : commit);
  return (
    <TextInput
      aria-label={t("graphs.nameOf", { name })}
      value={text ?? name}
      readOnly={locked}
      error={doubled ? t("graphs.nameTaken") : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key === "Escape") setText(null);
      }}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
    />
  );
}

/** What fields besides the known ones may hold; null when there may be none. */
function extraOf(schema: Schema): Schema | null {
  const { properties, additionalProperties } = schema;
  if (typeof additionalProperties === "object") return additionalProperties;
  if (additionalProperties === undefined) return properties ? null : {};
  return additionalProperties ? {} : null;
}

/** The fields of a group: those that its schema knows, and those that have names of their own. */
export function Group({ way, depth, ...props }: ValueProps & { way: Way; depth: number }) {
  const { path, value, definitions, kind } = props;
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const entries = value && "map" in value ? value.map : [];
  const known = Object.entries(way.schema.properties ?? {}).filter(([, one]) => one.const === undefined);
  const fixed = Object.keys(way.schema.properties ?? {});
  const others = entries.filter(([name]) => !fixed.includes(name));
  const names = [...fixed, ...entries.map(([name]) => name)];
  const extra = extraOf(way.schema);
  const add = () => {
    const [first] = waysOf(extra!, definitions, kind === "template");
    const fresh = kind === "expression" ? '""' : first ? freshValue(first) : "";
    edit(put([...path, freeName("value", new Set(names))], fresh));
  };
  return (
    <div className={classes.entries}>
      {known.map(([name, given]) => {
        const schema = resolved(given, definitions);
        const required = way.schema.required?.includes(name) ?? false;
        const fallback = schema.default === undefined || schema.default === null ? "" : String(schema.default);
        return (
          <ValueField
            key={name}
            {...inherited(props)}
            label={`${schema.title ?? name}${required ? " *" : ""}`}
            description={schema.description || undefined}
            fallback={fallback || undefined}
            path={[...path, name]}
            value={fieldOf(entries, name)}
            schema={given}
            // A number that is emptied is taken out, since no text stands for one.
            optional={!required || schema.default !== undefined || ["integer", "number"].includes(String(schema.type))}
            depth={depth}
          />
        );
      })}
      {others.map(([name, item]) => (
        <Row
          key={name}
          {...inherited(props)}
          label={t("graphs.valueOf", { name })}
          name={name}
          head={<KeyField path={path} name={name} taken={names} />}
          path={[...path, name]}
          value={item}
          schema={extra ?? {}}
          optional={false}
          depth={depth}
          onRemove={() => edit(put([...path, name], null))}
        />
      ))}
      {!locked && extra && (
        <Button
          aria-label={`${t("graphs.addValue")}: ${props.label}`}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={add}
        >
          {t("graphs.addValue")}
        </Button>
      )}
    </div>
  );
}
