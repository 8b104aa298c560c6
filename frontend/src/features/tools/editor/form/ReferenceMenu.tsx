import { ActionIcon, Menu, ScrollArea, Tooltip } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { type Reference, referencesAt } from "../../document/references";
import { useToolForm } from "./FormContext";

interface Props {
  step: number;
  field: string;
  onPick: (reference: string) => void;
}

const KINDS = ["param", "env", "step"] as const;

/** What can be referred to at this point; a pick goes in at the caret. */
export function ReferenceMenu({ step, field, onPick }: Props) {
  const { t } = useTranslation();
  const name = t("form.insertReference", { field });
  const shown = (reference: Reference) =>
    reference.kind === "step" ? `${t("form.stepN", { n: reference.step ?? 0 })} · ${reference.name}` : reference.name;
  return (
    <Menu withinPortal returnFocus={false}>
      <Menu.Target>
        <Tooltip label={t("form.insertReferenceShort")}>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={name}>
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320} miw={220}>
          <References step={step} shown={shown} onPick={onPick} />
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ListProps {
  step: number;
  shown: (reference: Reference) => string;
  onPick: (text: string) => void;
}

function References({ step, shown, onPick }: ListProps) {
  const { t } = useTranslation();
  const list = referencesAt(useToolForm(), step);
  if (list.length === 0) return <Menu.Label>{t("form.noReferences")}</Menu.Label>;
  return KINDS.map((kind) => {
    const some = list.filter((reference) => reference.kind === kind);
    if (some.length === 0) return null;
    return (
      <div key={kind}>
        <Menu.Label>{t(`form.references.${kind}`)}</Menu.Label>
        {some.map((reference) => (
          <Menu.Item
            key={reference.text}
            onClick={() => onPick(reference.text)}
            rightSection={<code className="muted small">{reference.text}</code>}
          >
            {shown(reference)}
          </Menu.Item>
        ))}
      </div>
    );
  });
}
