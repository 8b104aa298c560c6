import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard();
  const name = copied ? t("common.copied") : (label ?? t("common.copy"));
  return (
    <Tooltip label={name}>
      <ActionIcon variant="subtle" color="gray" onClick={() => copy(text)} aria-label={name}>
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}
