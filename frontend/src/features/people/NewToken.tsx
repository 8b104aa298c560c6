import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import type { Role } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { useSession } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useFieldText } from "@/shared/ui/useErrorText";
import { LinkDialog } from "./LinkDialog";
import { tokenCreate } from "./requests/tokenCreate";
import { rolesUpTo } from "./roles";
import classes from "./People.module.css";

/** Makes a token, and shows its key once. */
export function NewToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const own = useSession()?.role ?? "viewer";
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Role>("operator");
  const [until, setUntil] = useState("");
  const scopes = rolesUpTo(own);
  const picked = scopes.includes(scope) ? scope : own;
  const create = useOnce({
    mutationFn: () =>
      tokenCreate({
        name: name.trim(),
        scope: picked,
        ...(until ? { expires_at: new Date(`${until}T23:59:59`).toISOString() } : {}),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const problem = create.error instanceof ApiError ? create.error : null;
  const field = useFieldText(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  if (create.data) {
    return (
      <LinkDialog
        title={t("people.tokenMade", { name })}
        text={t("people.tokenOnce")}
        label={t("people.token")}
        link={create.data.token}
        onClose={onClose}
      />
    );
  }
  return (
    <Modal opened onClose={onClose} title={t("people.newToken")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          label={t("people.tokenName")}
          description={t("people.tokenNameHint")}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
          error={field("name")}
        />
        <Select
          label={t("people.scope")}
          data={scopes.map((one) => ({ value: one, label: t(`roles.${one}`) }))}
          value={picked}
          onChange={(one) => one && setScope(one as Role)}
          description={t(`roles.about.${picked}`)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={field("scope")}
        />
        <TextInput
          label={t("people.expires")}
          type="date"
          value={until}
          onChange={(e) => setUntil(e.currentTarget.value)}
          description={t("people.expiresHint")}
          error={field("expires_at")}
        />
        <ErrorLine error={problem?.problem.fields ? null : create.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t("people.makeToken")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
