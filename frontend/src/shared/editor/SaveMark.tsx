import { Button, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCloudUpload, IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { useNow } from "@/shared/hooks/useNow";
import { useSay } from "@/shared/i18n/sentences";
import { useDraft, useDraftHandle } from "./DraftContext";
import classes from "./Editor.module.css";

/** How far saving is. Never "saved" while a change is pending. */
export function SaveMark() {
  const { t } = useTranslation();
  const say = useSay();
  const format = useFormat();
  const { saver } = useDraftHandle();
  const save = useDraft((state) => state.save);
  const storedAt = useDraft((state) => state.draft.updated_at);
  const now = useNow(5000, save.kind === "saved");
  if (save.kind === "failed" || save.kind === "conflict") {
    const why =
      save.kind === "conflict"
        ? t("save.why.conflict")
        : save.why === "refused"
          ? say(save.message)
          : t(`save.why.${save.why}`);
    const text = t("save.failed", { why });
    return (
      <span className={classes.save} data-state="failed" role="status" data-testid="save-state">
        <IconAlertTriangle size={15} aria-hidden="true" />
        <Tooltip label={text} multiline maw={360}>
          <span className="truncate" tabIndex={0}>
            {text}
          </span>
        </Tooltip>
        {save.kind === "failed" && save.why !== "signedOut" && (
          <Button size="compact-xs" variant="default" onClick={() => saver.retry()}>
            {t("save.retry")}
          </Button>
        )}
      </span>
    );
  }
  const saved = save.kind === "saved";
  const Icon = saved ? IconCheck : save.kind === "saving" ? IconCloudUpload : IconPencil;
  const text = saved ? t("save.saved", { ago: format.ago(save.at ?? storedAt, now) }) : t(`save.${save.kind}`);
  return (
    <span className={classes.save} data-state={save.kind} role="status" data-testid="save-state">
      <Icon size={15} aria-hidden="true" />
      <span className="truncate">{text}</span>
    </span>
  );
}
