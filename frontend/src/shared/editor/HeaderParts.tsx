/** What stands in the header of every editor. */
import { ActionIcon, Badge, Button, Popover, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconRocket } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useOnce } from "@/shared/hooks/useOnce";
import { failedTests, PublishRefused } from "@/shared/savedTests/PublishRefused";
import { testsKey } from "@/shared/savedTests/requests";
import { useErrorText } from "@/shared/ui/useErrorText";
import { useDraft, useDraftHandle } from "./DraftContext";

export function PublishButton() {
  const { t } = useTranslation();
  const { kind, store, saver } = useDraftHandle();
  const queries = useQueryClient();
  const draft = useDraft((state) => state.draft);
  const changed = useDraft((state) => state.text !== state.draft.yaml);
  const faulty = useDraft((state) => state.problems.length > 0);
  const publish = useOnce({
    mutationFn: async (anyway: boolean) => {
      if (!(await saver.flush())) throw new Error(t("save.runNeedsSave"));
      return kind.publish(draft.name, saver.revision, anyway);
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: testsKey(kind.place, draft.name) }),
    onSuccess: (published) => {
      store.getState().took(published);
      void queries.invalidateQueries({ queryKey: [kind.place, "list"] });
      void queries.invalidateQueries({ queryKey: [kind.place, "versions", draft.name] });
    },
  });
  const failing = failedTests(publish.error);
  const error = useErrorText(failing ? null : publish.error);
  const current = draft.published_revision === draft.revision && !changed;
  const hint = error ?? (faulty ? t("publish.faulty") : current ? t("publish.current") : t("publish.hint"));
  return (
    <Popover
      opened={failing !== null}
      onChange={(opened) => !opened && publish.reset()}
      position="bottom-end"
      width={440}
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <span>
          <Tooltip
            label={hint}
            opened={error ? true : undefined}
            disabled={failing !== null}
            color={error ? "red" : undefined}
            multiline
            maw={320}
          >
            <Button
              variant="default"
              leftSection={<IconRocket size={15} />}
              loading={publish.isPending && failing === null}
              onClick={() => publish.mutate(false)}
              data-disabled={faulty || current || undefined}
              aria-disabled={faulty || current}
              onClickCapture={(event) => (faulty || current) && event.stopPropagation()}
            >
              {t("publish.publish")}
            </Button>
          </Tooltip>
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t("tests.refusedTitle")}>
        {failing && (
          <PublishRefused
            tests={failing}
            pending={publish.isPending}
            onAnyway={() => publish.mutate(true)}
            onClose={() => publish.reset()}
          />
        )}
      </Popover.Dropdown>
    </Popover>
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
