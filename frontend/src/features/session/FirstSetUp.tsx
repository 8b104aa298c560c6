import { Button, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { tokenIn } from "./tokenIn";

/** Before the first admin there is nobody to sign in: leads to the link that makes them. */
export function FirstSetUp() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [link, setLink] = useState("");
  const token = tokenIn(link);
  const wrong = link.trim() !== "" && token === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token) void navigate({ to: "/set-up", search: { token } as never });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <p className="muted">{t("session.first.text")}</p>
        <TextInput
          label={t("session.first.link")}
          value={link}
          onChange={(event) => setLink(event.currentTarget.value)}
          error={wrong ? t("session.first.wrong") : undefined}
          placeholder="http://…/set-up?token=…"
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
        <Button type="submit" fullWidth disabled={wrong}>
          {t("session.first.go")}
        </Button>
        <p className="muted small">{t("session.first.lost")}</p>
      </Stack>
    </form>
  );
}
