import { Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import type { SetUpCheck } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { sessionQuery } from "@/shared/session/session";
import { CentredCard } from "@/shared/ui/CentredCard";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useFieldText } from "@/shared/ui/useErrorText";
import { Waiting } from "@/shared/ui/Waiting";
import { useTitle } from "@/shared/hooks/useTitle";
import { setUp } from "./requests/setUp";
import { setUpCheck } from "./requests/setUpCheck";

function SetUpForm({ token, check }: { token: string; check: SetUpCheck }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const attempt = useOnce({
    mutationFn: () => setUp({ token, password, ...(check.username ? {} : { username: username.trim() }) }),
    onSuccess: (session) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
      void navigate({ to: "/tools" });
    },
  });
  const differ = repeated !== "" && repeated !== password;
  const problem = attempt.error instanceof ApiError ? attempt.error : null;
  const field = useFieldText(attempt.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === repeated) attempt.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <p className="muted">{t(`session.setUp.${check.kind}`)}</p>
        <TextInput
          label={t("session.username")}
          value={check.username ?? username}
          readOnly={check.username !== null}
          onChange={(e) => setUsername(e.currentTarget.value)}
          required
          withAsterisk={false}
          autoComplete="username"
          autoFocus={check.username === null}
          error={field("username")}
        />
        <PasswordInput
          label={t("session.newPassword")}
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          required
          withAsterisk={false}
          autoComplete="new-password"
          description={t("session.passwordHint")}
          error={field("password")}
          visibilityToggleButtonProps={{ "aria-label": t("session.showPassword") }}
        />
        <PasswordInput
          label={t("session.repeatPassword")}
          value={repeated}
          onChange={(e) => setRepeated(e.currentTarget.value)}
          required
          withAsterisk={false}
          autoComplete="new-password"
          error={differ ? t("session.passwordsDiffer") : null}
          visibilityToggleButtonProps={{ "aria-label": t("session.showPassword") }}
        />
        <ErrorLine error={problem?.problem.fields ? null : attempt.error} />
        <Button type="submit" loading={attempt.isPending} fullWidth disabled={differ}>
          {t("session.setUp.go")}
        </Button>
      </Stack>
    </form>
  );
}

export function SetUpPage() {
  const { t } = useTranslation();
  const { token = "" } = useSearch({ strict: false }) as { token?: string };
  const check = useQuery({
    queryKey: ["set-up", token],
    queryFn: () => setUpCheck(token),
    retry: false,
    staleTime: Infinity,
  });
  useTitle(t("session.setUp.title"));
  return (
    <CentredCard title={t("session.setUp.title")}>
      {check.isPending && <Waiting />}
      {check.error && (
        <Stack gap="sm">
          <ErrorLine error={check.error} />
          <p className="muted">{t("session.setUp.linkHint")}</p>
          <Anchor component={Link} to="/sign-in" size="sm">
            {t("session.toSignIn")}
          </Anchor>
        </Stack>
      )}
      {check.data && <SetUpForm token={token} check={check.data} />}
    </CentredCard>
  );
}
