import { ActionIcon, Tooltip } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useGraph } from "../../context";
import classes from "../../Editor.module.css";
import { Group } from "./Group";
import { Leaf } from "./Leaf";
import { List } from "./List";
import { useWays, type ValueProps } from "./way";
import { WayMenu } from "./WayMenu";

interface Props extends ValueProps {
  /** What stands before the value: its name or its number. */
  head: ReactNode;
  numbered?: boolean;
  /** What it is called in what can be done with it. */
  name: string;
  depth: number;
  onRemove: () => void;
  onMove?: (by: -1 | 1) => void;
  first?: boolean;
  last?: boolean;
}

/** An entry of a list or group: what it is called, its value, what can be done with it. */
export function Row(props: Props) {
  const { head, numbered, name, value, depth, onRemove, onMove, first, last } = props;
  const { t } = useTranslation();
  const { locked } = useGraph();
  const chosen = useWays(props);
  const { way } = chosen;
  const count = value && "seq" in value ? value.seq.length : value && "map" in value ? value.map.length : 0;
  const compound = way?.shape === "list" || way?.shape === "group";
  return (
    <div
      className={classes.entry}
      data-numbered={numbered || undefined}
      data-long={(!numbered && (way?.shape === "text" || way?.shape === "reference")) || undefined}
      role="group"
      aria-label={name}
    >
      {head}
      {way && !compound ? (
        <Leaf {...props} way={way} hideLabel />
      ) : (
        <span className={`muted small ${classes.count}`}>
          {way ? t(`graphs.countOf.${way.shape as "list"}`, { count }) : t("graphs.otherValue")}
        </span>
      )}
      {!locked && (
        <div className={classes.entryTools}>
          <WayMenu {...chosen} name={name} row onMove={onMove} first={first} last={last} />
          <Tooltip label={t("form.remove", { name })}>
            <ActionIcon variant="subtle" color="gray" aria-label={t("form.remove", { name })} onClick={onRemove}>
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        </div>
      )}
      {compound && (
        <div className={classes.nested}>
          {way.shape === "group" ? (
            <Group {...props} way={way} depth={depth + 1} />
          ) : (
            <List {...props} way={way} depth={depth + 1} />
          )}
        </div>
      )}
    </div>
  );
}
