import { Button, Modal, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useCurl } from "./CurlContext";

/** A place to paste a command into, for those who don't know that it can be pasted anywhere. */
export function CurlDialog({ at, onClose }: { at: number; onClose: () => void }) {
  const { t } = useTranslation();
  const { paste, pending, error } = useCurl();
  const [text, setText] = useState("");
  const [sent, setSent] = useState(false);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !pending && !error) onClose();
    was.current = sent && pending;
  }, [pending, error, sent, onClose]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("curl.paste")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form
        style={{ display: "grid", gap: 12 }}
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          paste(text, { at });
        }}
      >
        <Textarea
          label={t("curl.command")}
          description={t("curl.hint")}
          placeholder="curl https://api.example.com/orders -H 'Accept: application/json'"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          data-autofocus
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
        />
        {sent && <ErrorLine error={error} />}
        <p className="muted small">{t("curl.anywhere")}</p>
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={pending} disabled={!text.trim()}>
            {t("form.addStep")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
