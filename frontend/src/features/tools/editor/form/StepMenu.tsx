import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots, IconPlayerPlay, IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useRunStart } from "../run/RunStart";
import { useForm } from "./FormContext";

interface Props {
  index: number;
  count: number;
  onMove: (to: number) => void;
  onInsert: (index: number) => void;
  onRemove: () => void;
}

/** What can be done with a step as a whole. */
export function StepMenu({ index, count, onMove, onInsert, onRemove }: Props) {
  const { t } = useTranslation();
  const { readOnly } = useForm();
  const run = useRunStart();
  const name = t("form.stepN", { n: index });
  const label = t("form.stepMenu", { name });
  return (
    <div className="row" style={{ gap: 0 }}>
      {!readOnly && count > 1 && (
        <>
          <Tooltip label={t("form.moveUp", { name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("form.moveUp", { name })}
              disabled={index === 0}
              onClick={() => onMove(index - 1)}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t("form.moveDown", { name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("form.moveDown", { name })}
              disabled={index === count - 1}
              onClick={() => onMove(index + 1)}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      {(run.may || !readOnly) && (
        <Menu>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={label}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {run.may && (
              <Menu.Item leftSection={<IconPlayerPlay size={15} />} onClick={() => run.start(index)}>
                {t("form.runToHere")}
              </Menu.Item>
            )}
            {!readOnly && (
              <>
                <Menu.Item leftSection={<IconPlus size={15} />} onClick={() => onInsert(index)}>
                  {t("form.addStepBefore")}
                </Menu.Item>
                <Menu.Item leftSection={<IconPlus size={15} />} onClick={() => onInsert(index + 1)}>
                  {t("form.addStepAfter")}
                </Menu.Item>
                <Menu.Divider />
                <Menu.Item leftSection={<IconTrash size={15} />} onClick={onRemove}>
                  {t("form.remove", { name })}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
