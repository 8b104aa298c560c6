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
  /** Nothing is lost by it. */
  calm?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that can't be taken back, or does much at once. */
export function Confirm({ title, text, action, pending, error, calm, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <p>{text}</p>
      <ErrorLine error={error} />
      <div className="row" style={{ justifyContent: "flex-end", marginTop: 16 }}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button color={calm ? undefined : "red"} loading={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
