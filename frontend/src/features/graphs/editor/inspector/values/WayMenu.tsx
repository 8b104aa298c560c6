import { ActionIcon, Menu, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCheck, IconChevronDown, IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Way } from "../../../document/shape";
import { useGraph } from "../../context";
import classes from "../../Editor.module.css";
import type { Ways } from "./way";

interface Props extends Ways {
  name: string;
  /** Beside a row: an icon, with ways to move the row. */
  row?: boolean;
  onMove?: (by: -1 | 1) => void;
  first?: boolean;
  last?: boolean;
}

/** Picks how a value is written: as text, a number, a list … */
export function WayMenu({ ways, way, pick, name, row, onMove, first, last }: Props) {
  const { t } = useTranslation();
  const { locked } = useGraph();
  const several = ways.filter(({ shape }) => shape === "group").length > 1;
  const labelOf = (one: Way) => (several && one.title) || t(`graphs.shapes.${one.shape}`);
  if (locked || (ways.length < 2 && !onMove)) return null;
  const label = t(row ? "graphs.rowMenu" : "graphs.writtenAs", { name });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        {row ? (
          <ActionIcon variant="subtle" color="gray" aria-label={label}>
            <IconDots size={15} />
          </ActionIcon>
        ) : (
          <UnstyledButton className={classes.way} aria-label={label}>
            {way ? labelOf(way) : "…"}
            <IconChevronDown size={13} aria-hidden="true" />
          </UnstyledButton>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {ways.length > 1 && (
          <>
            <Menu.Label>{t("graphs.writeAs")}</Menu.Label>
            {ways.map((one, index) => (
              <Menu.Item
                key={index}
                onClick={() => one !== way && pick(one)}
                leftSection={<IconCheck size={14} style={{ visibility: sameWay(one, way) ? "visible" : "hidden" }} />}
              >
                {labelOf(one)}
              </Menu.Item>
            ))}
          </>
        )}
        {onMove && (
          <>
            {ways.length > 1 && <Menu.Divider />}
            <Menu.Item disabled={first} leftSection={<IconArrowUp size={14} />} onClick={() => onMove(-1)}>
              {t("graphs.moveUp")}
            </Menu.Item>
            <Menu.Item disabled={last} leftSection={<IconArrowDown size={14} />} onClick={() => onMove(1)}>
              {t("graphs.moveDown")}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const sameWay = (one: Way, other: Way | undefined) => one.shape === other?.shape && one.title === other.title;
