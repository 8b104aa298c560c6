/** What stands in the header of every editor. */
import { ActionIcon, Badge, Button, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconRocket } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useErrorText } from "@/shared/ui/useErrorText";
import { useDraft, useDraftHandle } from "./DraftContext";

export function PublishButton() {
  const { t } = useTranslation();
  const { kind, store, saver } = useDraftHandle();
  const queries = useQueryClient();
  const draft = useDraft((state) => state.draft);
  const changed = useDraft((state) => state.text !== state.draft.yaml);
  const faulty = useDraft((state) => state.problems.length > 0);
  const publish = useMutation({
    mutationFn: async () => {
      if (!(await saver.flush())) throw new Error(t("save.runNeedsSave"));
      return kind.publish(draft.name, saver.revision);
    },
    onSuccess: (published) => {
      store.getState().took(published);
      void queries.invalidateQueries({ queryKey: [kind.place, "list"] });
      void queries.invalidateQueries({ queryKey: [kind.place, "versions", draft.name] });
    },
  });
  const error = useErrorText(publish.error);
  const current = draft.published_revision === draft.revision && !changed;
  const hint = error ?? (faulty ? t("publish.faulty") : current ? t("publish.current") : t("publish.hint"));
  return (
    <Tooltip label={hint} opened={error ? true : undefined} color={error ? "red" : undefined} multiline maw={320}>
      <Button
        variant="default"
        leftSection={<IconRocket size={15} />}
        loading={publish.isPending}
        onClick={() => publish.mutate()}
        data-disabled={faulty || current || undefined}
        aria-disabled={faulty || current}
        onClickCapture={(event) => (faulty || current) && event.stopPropagation()}
      >
        {t("publish.publish")}
      </Button>
    </Tooltip>
  );
}

export function StateBadge() {
  const { t } = useTranslation();
  const draft = useDraft((state) => state.draft);
  const changed = useDraft((state) => state.text !== state.draft.yaml);
  const published = draft.published_revision;
  const state = published === null ? "draft" : published === draft.revision && !changed ? "published" : "changed";
  return (
    <Badge
      variant="outline"
      color={state === "published" ? "green" : "gray"}
      tt="none"
      fw={400}
      style={{ flex: "none" }}
    >
      {t(`tools.state.${state}`)}
    </Badge>
  );
}

export function UndoRedo() {
  const { t } = useTranslation();
  const canUndo = useDraft((state) => state.history.past.length > 0);
  const canRedo = useDraft((state) => state.history.future.length > 0);
  const undo = useDraft((state) => state.undo);
  const redo = useDraft((state) => state.redo);
  return (
    <>
      <Tooltip label={`${t("edit.undo")} (Ctrl+Z)`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("edit.undo")}
          disabled={!canUndo}
          onClick={undo}
        >
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`${t("edit.redo")} (Ctrl+Shift+Z)`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("edit.redo")}
          disabled={!canRedo}
          onClick={redo}
        >
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

export function HistoryButton({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  return (
    <Tooltip label={t("history.title")}>
      <ActionIcon
        variant={open ? "light" : "subtle"}
        color="gray"
        size="lg"
        aria-label={t("history.title")}
        aria-expanded={open}
        onClick={onToggle}
      >
        <IconHistory size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
