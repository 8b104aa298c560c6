import { Button, Modal } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLostSession, useSession } from "@/shared/session/session";
import { useDraftHandle } from "./DraftContext";

/** Keeps the text safe at the edges: leaving asks when something could not be saved, and signing in again saves it. */
export function LeaveGuard() {
  const { t } = useTranslation();
  const { saver } = useDraftHandle();
  const lost = useLostSession((state) => state.lost);
  const discarded = useLostSession((state) => state.discarded);
  const username = useSession()?.username;
  const owner = useRef(username);
  const blocker = useBlocker({
    withResolver: true,
    enableBeforeUnload: () => saver.hasUnsaved,
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && saver.hasUnsaved && !(await saver.flush()),
  });
  useEffect(() => {
    owner.current ??= username;
    if (discarded || (username !== undefined && owner.current !== undefined && username !== owner.current))
      saver.stop();
    else if (!lost && username !== undefined) saver.retry();
  }, [lost, discarded, username, saver]);
  if (blocker.status !== "blocked") return null;
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title={t("save.leaveTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <p>{t("save.leaveText")}</p>
      <div className="row" style={{ justifyContent: "flex-end", marginTop: 16 }}>
        <Button variant="default" onClick={blocker.proceed}>
          {t("save.leave")}
        </Button>
        <Button onClick={blocker.reset} data-autofocus>
          {t("save.stay")}
        </Button>
      </div>
    </Modal>
  );
}
