import { Button, Modal, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOnce } from "@/shared/hooks/useOnce";
import { useDraft, useDraftHandle } from "./DraftContext";

/** Ctrl+S: a version with a name that says what it is. */
export function NamedSave({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { kind, saver } = useDraftHandle();
  const queries = useQueryClient();
  const name = useDraft((state) => state.draft.name);
  const [note, setNote] = useState("");
  const save = useOnce({
    mutationFn: () => saver.flush(note.trim()),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: [kind.place, "versions", name] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t("save.named")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} style={{ display: "grid", gap: 12 }}>
        <TextInput
          label={t("save.note")}
          description={t("save.noteHint")}
          value={note}
          onChange={(e) => setNote(e.currentTarget.value)}
          data-autofocus
          maxLength={200}
        />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t("save.save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
