import { ActionIcon, Button, Menu, Modal, TextInput, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCopy, IconDots, IconDownload, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOnce } from "@/shared/hooks/useOnce";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { applyEdit } from "@/shared/yaml/edit";
import { useDraft, useDraftHandle } from "./DraftContext";

function Duplicate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { kind } = useDraftHandle();
  const draft = useDraft((state) => state.draft);
  const text = useDraft((state) => state.text);
  const [name, setName] = useState(`${draft.name}_copy`);
  const copy = useOnce({
    mutationFn: () => {
      const renamed = applyEdit(text, { op: "set", path: ["name"], value: name.trim() });
      if (!renamed.ok) throw new Error(t("form.refusedLong"));
      return kind.create(renamed.text);
    },
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: [kind.place] });
      onClose();
      void navigate({ to: `/${kind.place}/$name`, params: { name: made.name } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    copy.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t("tools.duplicate")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} style={{ display: "grid", gap: 12 }}>
        <TextInput
          label={t("tools.name")}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          data-autofocus
          required
          withAsterisk={false}
        />
        <ErrorLine error={copy.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={copy.isPending}>
            {t("tools.duplicate")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function Delete({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { kind, saver } = useDraftHandle();
  const name = useDraft((state) => state.draft.name);
  const remove = useOnce({
    mutationFn: () => kind.remove(name),
    onSuccess: async () => {
      saver.stop();
      await queries.invalidateQueries({ queryKey: [kind.place] });
      void navigate({ to: `/${kind.place}` });
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("tools.deleteTitle", { name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <p>{t(`${kind.place}.deleteText`)}</p>
      <ErrorLine error={remove.error} />
      <div className="row" style={{ justifyContent: "flex-end", marginTop: 16 }}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t("tools.delete")}
        </Button>
      </div>
    </Modal>
  );
}

/** What is done with a document as a whole. */
export function DraftMenu() {
  const { t } = useTranslation();
  const { store } = useDraftHandle();
  const readOnly = useDraft((state) => state.readOnly);
  const [copying, duplicate] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const download = () => {
    const { text, draft } = store.getState();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    link.download = `${draft.name}.yaml`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <Tooltip label={t("tools.more")}>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("tools.more")}>
              <IconDots size={18} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDownload size={15} />} onClick={download}>
            {t("tools.download")}
          </Menu.Item>
          {!readOnly && (
            <>
              <Menu.Item leftSection={<IconCopy size={15} />} onClick={duplicate.open}>
                {t("tools.duplicate")}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item leftSection={<IconTrash size={15} />} onClick={remove.open}>
                {t("tools.delete")}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {copying && <Duplicate onClose={duplicate.close} />}
      {deleting && <Delete onClose={remove.close} />}
    </>
  );
}
