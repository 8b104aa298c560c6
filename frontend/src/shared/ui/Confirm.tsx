import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "./ErrorLine";

interface Props {
  title: string;
  text: ReactNode;
  action: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that can't be taken back. */
export function Confirm({ title, text, action, pending, error, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <p>{text}</p>
      <ErrorLine error={error} />
      <div className="row" style={{ justifyContent: "flex-end", marginTop: 16 }}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button color="red" loading={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
