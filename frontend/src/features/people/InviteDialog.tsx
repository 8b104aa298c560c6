import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import type { Role } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useFieldText } from "@/shared/ui/useErrorText";
import { LinkDialog } from "./LinkDialog";
import { userInvite } from "./requests/userInvite";
import { ROLES } from "./roles";
import classes from "./People.module.css";

/** Invites someone by a link that works once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [username, setUsername] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const invite = useOnce({
    mutationFn: () => userInvite({ username: username.trim(), email: email.trim(), role }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["users"] }),
  });
  const problem = invite.error instanceof ApiError ? invite.error : null;
  const field = useFieldText(invite.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  if (invite.data) {
    return (
      <LinkDialog
        title={t("people.invited", { name: invite.data.username })}
        text={t("people.inviteText")}
        link={invite.data.set_up_link}
        onClose={onClose}
      />
    );
  }
  return (
    <Modal opened onClose={onClose} title={t("people.invite")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          label={t("session.username")}
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
          autoComplete="off"
          error={field("username")}
        />
        <TextInput
          label={t("people.email")}
          description={t("people.emailHint")}
          value={email}
          onChange={(e) => setEmail(e.currentTarget.value)}
          type="email"
          autoComplete="off"
          error={field("email")}
        />
        <Select
          label={t("people.role")}
          data={ROLES.map((one) => ({ value: one, label: t(`roles.${one}`) }))}
          value={role}
          onChange={(one) => one && setRole(one as Role)}
          description={t(`roles.about.${role}`)}
          inputWrapperOrder={["label", "input", "description", "error"]}
        />
        <ErrorLine error={problem?.problem.fields ? null : invite.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {t("people.makeLink")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
