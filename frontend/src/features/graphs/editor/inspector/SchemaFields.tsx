import { ActionIcon, Button, Checkbox, Textarea, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useField } from "@/shared/editor/useField";
import { Flow, type Path, type Plain } from "@/shared/yaml/plain";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import { fieldOf } from "../../document/graph";
import { put } from "../../document/graphEdits";
import {
  addField,
  below,
  FIELD_TYPES,
  type FieldType,
  fieldsOf,
  removeField,
  renameField,
  requireField,
  retypeField,
  type SchemaField,
} from "../../document/schemaEdits";
import { useEditor, useGraph } from "../context";
import classes from "../Editor.module.css";
import { DocField } from "./fields";
import { KeyField } from "./values/Group";

interface Props {
  label: string;
  path: Path;
  value: Plain | undefined;
}

const inside = (plain: Plain | undefined, path: readonly (string | number)[]): Plain | undefined =>
  path.reduce<Plain | undefined>((at, part) => (at && "map" in at ? fieldOf(at.map, String(part)) : undefined), plain);

/** The texts of a field that lets one be picked, one a line. */
function Choices({ path, field }: { path: Path; field: SchemaField }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const text = useField(field.choices.join("\n"), (typed) => {
    const lines = typed.split("\n").filter((line) => line.trim() !== "");
    return lines.length === 0 || edit(put(path, new Flow(lines)), path.join("."));
  });
  return (
    <Textarea
      label={t("graphs.choices")}
      description={t("graphs.oneALine")}
      value={text.value}
      onChange={(event) => text.set(event.currentTarget.value)}
      readOnly={locked}
      autosize
      minRows={2}
      maxRows={8}
    />
  );
}

function FieldRow({ label, path, value, field, names }: Props & { field: SchemaField; names: string[] }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const { name, type } = field;
  const own = [...path, "properties", name];
  return (
    <div className={classes.variable} role="group" aria-label={t("graphs.fieldNamed", { name })}>
      <div className={classes.entry} data-plain>
        <KeyField
          path={[...path, "properties"]}
          name={name}
          taken={names}
          onRename={(to) => edit(renameField(path, value, name, to))}
        />
        <LockableSelect
          aria-label={t("graphs.typeOf", { name })}
          data={[
            ...FIELD_TYPES.map((one) => ({ value: one, label: t(`graphs.fieldTypes.${one}`) })),
            ...(type ? [] : [{ value: "other", label: t("graphs.fieldTypes.other") }]),
          ]}
          value={type ?? "other"}
          readOnly={locked}
          onChange={(next) =>
            next && next !== "other" && next !== type && edit(retypeField(path, value, name, next as FieldType))
          }
        />
        {!locked && (
          <Tooltip label={t("form.remove", { name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t("form.remove", { name })}
              onClick={() => edit(removeField(path, value, name))}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <DocField
        label={t("graphs.fieldMeaning", { name })}
        hideLabel
        placeholder={t("graphs.fieldMeaningHint")}
        path={[...own, "description"]}
        value={field.description}
        optional
      />
      <Checkbox
        label={t("graphs.fieldRequired")}
        checked={field.required}
        disabled={locked}
        onChange={(event) => edit(requireField(path, value, name, event.currentTarget.checked))}
      />
      {type === null && <p className="muted small">{t("graphs.fieldOther")}</p>}
      {type === "choice" && <Choices path={[...own, "enum"]} field={field} />}
      {(type === "object" || type === "objects") && (
        <div className={classes.nested}>
          <SchemaFields
            label={`${label} › ${name}`}
            path={below(path, field)}
            value={inside(value, below([], field))}
          />
        </div>
      )}
    </div>
  );
}

/** The fields that a JSON Schema describes, as rows: name, type, meaning, whether it must be given. */
export function SchemaFields({ label, path, value }: Props) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const fields = fieldsOf(value);
  if (fields === null) return <p className="muted small">{t("graphs.fieldOther")}</p>;
  const names = fields.map(({ name }) => name);
  return (
    <div className={classes.entries}>
      {fields.map((field) => (
        <FieldRow key={field.name} label={label} path={path} value={value} field={field} names={names} />
      ))}
      {!locked && (
        <Button
          aria-label={`${t("graphs.addField")}: ${label}`}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => edit(addField(path, "field", value))}
        >
          {t("graphs.addField")}
        </Button>
      )}
    </div>
  );
}
