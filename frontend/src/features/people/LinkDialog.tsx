import { Button, Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyField } from "@/shared/ui/CopyField";

interface Props {
  title: string;
  text: string;
  link: string;
  label?: string;
  onClose: () => void;
}

/** Something to hand over that is shown this once. */
export function LinkDialog({ title, text, link, label, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ "aria-label": t("common.close") }}>
      <div style={{ display: "grid", gap: 12 }}>
        <p>{text}</p>
        <CopyField label={label ?? t("people.link")} text={link} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button onClick={onClose}>{t("common.done")}</Button>
        </div>
      </div>
    </Modal>
  );
}
