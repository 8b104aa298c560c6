import { Button, Modal, PasswordInput, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import type { Environment } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useFieldText } from "@/shared/ui/useErrorText";
import { secretPut } from "./requests/secretPut";
import { variablePut } from "./requests/variablePut";

export type EntryKind = "variable" | "secret";

interface Props {
  environment: Environment;
  kind: EntryKind;
  /** The entry to change, or null for a new one. */
  name: string | null;
  onClose: () => void;
}

/** A variable, or a secret: its value goes in and never comes out. */
export function EntryDialog({ environment, kind, name: known, onClose }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const secret = kind === "secret";
  const [name, setName] = useState(known ?? "");
  const [value, setValue] = useState(() => environment.variables.find((row) => row.name === known)?.value ?? "");
  const [hosts, setHosts] = useState<string[]>(
    () => environment.secrets.find((row) => row.name === known)?.hosts ?? [],
  );
  const put = useOnce({
    mutationFn: () =>
      secret
        ? secretPut(environment.name, name.trim(), { value, hosts })
        : variablePut(environment.name, name.trim(), value),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ["environments"] });
    },
  });
  const problem = put.error instanceof ApiError ? put.error : null;
  const field = useFieldText(put.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    put.mutate();
  };
  const title = known
    ? t("environments.change", { name: known })
    : t(secret ? "environments.addSecret" : "environments.addVariable");
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} style={{ display: "grid", gap: 12 }} autoComplete="off">
        <TextInput
          label={t("environments.name")}
          value={name}
          readOnly={known !== null}
          onChange={(e) => setName(e.currentTarget.value)}
          placeholder="API_KEY"
          required
          withAsterisk={false}
          data-autofocus={known === null || undefined}
          spellCheck={false}
          error={field("name") ?? field("entry")}
        />
        {secret ? (
          <>
            <PasswordInput
              label={known ? t("environments.newValue") : t("environments.value")}
              description={t(known ? "environments.writeAgain" : "environments.writeOnly")}
              value={value}
              required
              withAsterisk={false}
              onChange={(e) => setValue(e.currentTarget.value)}
              autoComplete="new-password"
              data-autofocus={known !== null || undefined}
              error={field("value")}
              visibilityToggleButtonProps={{ "aria-label": t("session.showPassword") }}
            />
            <TagsInput
              label={t("environments.hosts")}
              description={t("environments.hostsHint")}
              value={hosts}
              onChange={setHosts}
              placeholder={hosts.length ? undefined : "api.example.com"}
              splitChars={[",", " "]}
              acceptValueOnBlur
              error={field("hosts")}
            />
          </>
        ) : (
          <Textarea
            label={t("environments.value")}
            value={value}
            onChange={(e) => setValue(e.currentTarget.value)}
            autosize
            minRows={1}
            maxRows={8}
            data-autofocus={known !== null || undefined}
            error={field("value")}
            spellCheck={false}
          />
        )}
        <ErrorLine error={problem?.problem.fields ? null : put.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={put.isPending}>
            {t("save.save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
