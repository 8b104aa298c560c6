import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Session } from "@/shared/api/shapes";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { signIn } from "./requests/signIn";

interface Props {
  /** Fixed when the same person is to sign in again. */
  username?: string | null;
  onSignedIn: (session: Session) => void;
}

export function SignInForm({ username: known, onSignedIn }: Props) {
  const { t } = useTranslation();
  const [username, setUsername] = useState(known ?? "");
  const [password, setPassword] = useState("");
  const attempt = useMutation({ mutationFn: () => signIn(username.trim(), password), onSuccess: onSignedIn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t("session.username")}
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus={!known || undefined}
          autoFocus={!known}
        />
        <PasswordInput
          label={t("session.password")}
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={Boolean(known) || undefined}
          visibilityToggleButtonProps={{ "aria-label": t("session.showPassword") }}
        />
        <ErrorLine error={attempt.error} />
        <Button type="submit" loading={attempt.isPending} fullWidth>
          {t("session.signIn")}
        </Button>
      </Stack>
    </form>
  );
}
