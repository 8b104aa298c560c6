import { Button, Modal, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useFieldText } from "@/shared/ui/useErrorText";
import type { DocumentKind } from "./kind";
import { useCreate } from "./useCreate";

/** A new document needs a name; the rest is written in the editor. */
export function NewDocument({ of, onClose }: { of: DocumentKind; onClose: () => void }) {
  const { kind } = of;
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [desc, setDesc] = useState("");
  const [command, setCommand] = useState("");
  const create = useCreate(of, onClose);
  // Two spellings of one name are one; a name has no blanks.
  const given = name.trim().replace(/\s+/g, "_").normalize("NFC");
  const wrong = name !== "" && !of.name.test(given);
  const taken = useFieldText(create.error)("name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wrong && given) create.mutate({ name: given, desc: desc.trim(), command: command.trim() });
  };
  return (
    <Modal opened onClose={onClose} title={t(`${kind}.new`)} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} style={{ display: "grid", gap: 12 }}>
        <TextInput
          label={t("tools.name")}
          description={t(`${kind}.nameHint`)}
          value={name}
          onChange={(e) => {
            const typed = e.currentTarget.value;
            // While a character is put together the field stays as the keyboard has it.
            const composing = (e.nativeEvent as InputEvent).isComposing;
            setName(composing ? typed : typed.trimStart().replace(/\s/g, "_"));
          }}
          data-autofocus
          error={wrong ? t(`${kind}.newNameWrong`) : taken}
          required
          withAsterisk={false}
          placeholder={of.placeholder}
          spellCheck={false}
        />
        <Textarea
          label={t("tools.desc")}
          description={t(`${kind}.descHint`)}
          value={desc}
          onChange={(e) => setDesc(e.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={6}
        />
        {of.fromCommand && (
          <Textarea
            label={t("curl.optional")}
            description={t("curl.hint")}
            placeholder="curl https://api.example.com/orders"
            value={command}
            onChange={(e) => setCommand(e.currentTarget.value)}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
          />
        )}
        <ErrorLine error={taken ? null : create.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={wrong}>
            {t("tools.create")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
