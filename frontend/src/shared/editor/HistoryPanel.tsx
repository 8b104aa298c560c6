import { ActionIcon, Modal } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePages } from "@/shared/hooks/usePages";
import { failedTests, PublishRefused } from "@/shared/savedTests/PublishRefused";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { MoreRows } from "@/shared/ui/MoreRows";
import { Waiting } from "@/shared/ui/Waiting";
import { DiffView } from "./DiffView";
import { useDraft, useDraftHandle } from "./DraftContext";
import { savesOf } from "./savesOf";
import { Sitting, useVersionActions } from "./Versions";
import classes from "./History.module.css";

/** A version beside the text as it is now. */
function Compare({ revision, onClose }: { revision: number; onClose: () => void }) {
  const { t } = useTranslation();
  const { kind } = useDraftHandle();
  const name = useDraft((state) => state.draft.name);
  const text = useDraft((state) => state.text);
  const version = useQuery({
    queryKey: [kind.place, "version", name, revision],
    queryFn: () => kind.version(name, revision),
    staleTime: Infinity,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="min(1200px, 94vw)"
      title={t("history.compareTitle", { revision })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <ErrorLine error={version.error} />
      {version.data ? (
        <div className={classes.compare}>
          <DiffView
            left={version.data.yaml}
            right={text}
            leftName={t("history.revision", { revision })}
            rightName={t("history.now")}
          />
        </div>
      ) : (
        <Waiting />
      )}
    </Modal>
  );
}

/** Every save as a version: compared, restored, published. */
export function HistoryPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { kind } = useDraftHandle();
  const draft = useDraft((state) => state.draft);
  const [comparing, setComparing] = useState<number | null>(null);
  const actions = useVersionActions();
  const versions = usePages(
    [kind.place, "versions", draft.name, draft.revision],
    (cursor) => kind.versions(draft.name, cursor),
    { keep: true },
  );
  const failing = failedTests(actions.publish.error);
  const rows = versions.rows;
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <aside
      className={classes.panel}
      aria-label={t("history.title")}
      onKeyDown={(event) => event.key === "Escape" && comparing === null && onClose()}
    >
      <div className={classes.head}>
        <h2>{t("history.title")}</h2>
        <ActionIcon variant="subtle" color="gray" aria-label={t("common.close")} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      <ErrorLine error={versions.error ?? actions.restore.error ?? (failing ? null : actions.publish.error)} />
      {failing && (
        <div className={classes.refused}>
          <PublishRefused
            tests={failing}
            pending={actions.publish.isPending}
            onAnyway={() => actions.publish.mutate({ ...actions.publish.variables!, anyway: true })}
            onClose={() => actions.publish.reset()}
          />
        </div>
      )}
      {versions.isPending && <Waiting />}
      <ol className={classes.list}>
        {savesOf(rows).map((saves) => (
          <Sitting
            key={saves.rest.at(-1)?.revision ?? saves.head.revision}
            saves={saves}
            newest={draft.revision}
            actions={actions}
            onCompare={setComparing}
          />
        ))}
      </ol>
      <MoreRows of={versions} variant="subtle" />
      {comparing !== null && <Compare revision={comparing} onClose={() => setComparing(null)} />}
    </aside>
  );
}
