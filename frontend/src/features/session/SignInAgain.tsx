import { Modal, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { sessionQuery, useLostSession } from "@/shared/session/session";
import { SignInForm } from "./SignInForm";

/** Stands over the page when the session ended under it. Nothing on the page is cleared. */
export function SignInAgain() {
  const { t } = useTranslation();
  const { lost, username, regain, discard } = useLostSession();
  const queries = useQueryClient();
  return (
    <Modal
      opened={lost}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t("session.ended")}
      size="sm"
    >
      <Stack gap="sm">
        <p className="muted">{t("session.endedHint", { username: username ?? "" })}</p>
        <SignInForm
          username={username}
          onSignedIn={(session) => {
            if (username && session.username !== username) {
              discard();
              setTimeout(() => window.location.assign("/tools"));
              return;
            }
            queries.setQueryData(sessionQuery.queryKey, session);
            regain();
            void queries.invalidateQueries();
          }}
        />
      </Stack>
    </Modal>
  );
}
