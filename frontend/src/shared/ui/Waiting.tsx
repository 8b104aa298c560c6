import { Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";

export function Waiting() {
  const { t } = useTranslation();
  return (
    <div role="status" className="row" style={{ padding: 16 }}>
      <Loader aria-hidden="true" />
      <span className="muted">{t("common.loading")}</span>
    </div>
  );
}
