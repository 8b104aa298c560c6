import { Button } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { put } from "../../../document/graphEdits";
import { freshValue } from "../../../document/shape";
import { useEditor, useGraph } from "../../context";
import classes from "../../Editor.module.css";
import { Group } from "./Group";
import { Leaf } from "./Leaf";
import { List } from "./List";
import { isCompound, useWays, type ValueProps } from "./way";
import { WayMenu } from "./WayMenu";

interface Props extends ValueProps {
  description?: string;
  fallback?: string;
  depth?: number;
}

/** Deeper than this a group that isn't written yet is only offered, since schemas may go in circles. */
const OPEN_DEPTH = 1;

/** A value with its name above it: a field, rows of a list, or the fields of a group. */
export function ValueField(props: Props) {
  const { label, description, path, value, optional, depth = 0 } = props;
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const chosen = useWays(props);
  const { way } = chosen;
  const menu = <WayMenu {...chosen} name={label} />;
  if (way && !isCompound(way))
    return (
      <div className={classes.valued}>
        <Leaf {...props} way={way} />
        {menu}
      </div>
    );
  const known = way?.shape === "group" && way.schema.properties !== undefined;
  const closed = value === undefined && known && optional && depth >= OPEN_DEPTH;
  return (
    <fieldset className={depth > 0 ? classes.inner : classes.rows}>
      <legend>{label}</legend>
      {menu}
      {description && <p className="muted small">{description}</p>}
      {!way && (
        <div className="row">
          <p className="muted small grow">{t("graphs.otherValue")}</p>
          {!locked && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconTrash size={14} />}
              onClick={() => edit(put(path, null))}
            >
              {t("common.remove")}
            </Button>
          )}
        </div>
      )}
      {closed && !locked && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => edit(put(path, freshValue(way)))}
        >
          {t("graphs.addRow", { what: label })}
        </Button>
      )}
      {!closed && way?.shape === "group" && <Group {...props} way={way} depth={depth + 1} />}
      {way?.shape === "list" && <List {...props} way={way} depth={depth + 1} />}
    </fieldset>
  );
}
