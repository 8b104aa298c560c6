/** What tables of entries share: their columns, and what can be done with a row. */
import { ActionIcon, Tooltip } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";

export interface Column {
  label: string;
  /** In px, or a share of the table; without it the column takes what is left. */
  width?: number | string;
  /** Where the column is shown only when there is room, as a class of the tables. */
  className?: string;
}

interface Props {
  columns: readonly Column[];
  /** The width of the last column, which has the row's actions. */
  actions?: number;
}

/** The widths of a table's columns, and its head. */
export function TableHead({ columns, actions }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <colgroup>
        {columns.map(({ label, width, className }) => (
          <col key={label} className={className} style={{ width }} />
        ))}
        {actions !== undefined && <col style={{ width: actions }} />}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ label, className }) => (
            <th key={label} scope="col" className={className}>
              {label}
            </th>
          ))}
          {actions !== undefined && (
            <th scope="col">
              <span className="visually-hidden">{t("common.actions")}</span>
            </th>
          )}
        </tr>
      </thead>
    </>
  );
}

interface ActionProps {
  label: string;
  icon: ComponentType<{ size: number }>;
  onClick: () => void;
}

/** Something that can be done with a row, as a picture with its name. */
export function RowAction({ label, icon: Icon, onClick }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
