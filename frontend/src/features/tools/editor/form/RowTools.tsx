import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Path } from "@/shared/yaml/plain";
import { useForm } from "./FormContext";
import classes from "./Form.module.css";

interface Props {
  /** The list, the entry's place in it, and how long it is. */
  list: Path;
  index: number;
  count: number;
  /** What the entry is called. */
  name: string;
  onRemove?: () => void;
  /** The fields beside it have labels above them. */
  labelled?: boolean;
}

/** Moves an entry up and down by button, and takes it out. */
export function RowTools({ list, index, count, name, onRemove, labelled }: Props) {
  const { t } = useTranslation();
  const { edit, readOnly } = useForm();
  if (readOnly) return null;
  const move = (to: number) => edit({ do: "move", path: list, from: index, to });
  const tools = [
    {
      label: t("form.moveUp", { name }),
      icon: IconArrowUp,
      off: index === 0,
      act: () => move(index - 1),
      shown: count > 1,
    },
    {
      label: t("form.moveDown", { name }),
      icon: IconArrowDown,
      off: index === count - 1,
      act: () => move(index + 1),
      shown: count > 1,
    },
    {
      label: t("form.remove", { name }),
      icon: IconTrash,
      off: false,
      shown: true,
      act: onRemove ?? (() => edit({ do: "remove", path: [...list, index] })),
    },
  ];
  return (
    <div className={classes.rowTools} style={labelled ? { marginTop: 20 } : undefined}>
      {tools
        .filter(({ shown }) => shown)
        .map(({ label, icon: Icon, off, act }) => (
          <Tooltip key={label} label={label}>
            <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} disabled={off} onClick={act}>
              <Icon size={15} />
            </ActionIcon>
          </Tooltip>
        ))}
    </div>
  );
}
