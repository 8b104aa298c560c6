import { Button, Menu, Tooltip } from "@mantine/core";
import { IconGitFork } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { runFork } from "../requests/runFork";
import { useStarter } from "./startGate";

/** Starts a new run from before a visit. */
export function ForkMenu({ run, visit, onFork }: { run: string; visit: string; onFork: (run: string) => void }) {
  const { t } = useTranslation();
  const fork = useStarter((mode: "run" | "debug") => runFork(run, visit, mode), onFork);
  return (
    <>
      <Menu>
        <Menu.Target>
          <Tooltip label={t("run.fork.hint")} multiline w={280}>
            <Button size="compact-sm" variant="default" leftSection={<IconGitFork size={14} />} loading={fork.busy}>
              {t("run.fork.from")}
            </Button>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t("run.fork.versions")}</Menu.Label>
          <Menu.Item onClick={() => fork.begin("run")}>{t("run.fork.run")}</Menu.Item>
          <Menu.Item onClick={() => fork.begin("debug")}>{t("run.fork.debug")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ErrorLine error={fork.error} />
    </>
  );
}
