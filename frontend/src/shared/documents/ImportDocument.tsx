import { Button, FileButton, Modal, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { Said } from "@/shared/ui/Said";
import type { DocumentKind } from "./kind";
import { useCreate } from "./useCreate";

/** A document from a file, or from text that is pasted. */
export function ImportDocument({ of, onClose }: { of: DocumentKind; onClose: () => void }) {
  const { kind } = of;
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const create = useCreate(of, onClose);
  const problems = create.error instanceof ApiError ? (create.error.problem.problems ?? []) : [];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`${kind}.import`)}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <div style={{ display: "grid", gap: 12 }}>
        <FileButton accept={of.accept} onChange={(file) => void file?.text().then(setText)}>
          {(props) => (
            <Button {...props} variant="default">
              {t(`${kind}.chooseFile`)}
            </Button>
          )}
        </FileButton>
        <Textarea
          label={t(`${kind}.importText`)}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          data-autofocus
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
        />
        {problems.length > 0 ? (
          <ul role="alert" style={{ margin: 0, paddingLeft: 16, color: "var(--wb-red)" }}>
            {problems.map((one, index) => (
              <li key={index}>
                {t("problems.line", { line: one.line })}: <Said text={one.message} />
              </li>
            ))}
          </ul>
        ) : (
          <ErrorLine error={create.error} />
        )}
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button loading={create.isPending} disabled={!text.trim()} onClick={() => create.mutate(text)}>
            {t(`${kind}.import`)}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
