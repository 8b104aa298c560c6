import { Button, Menu } from "@mantine/core";
import { IconGitFork } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { runFork } from "../requests/runFork";

/** Starts a new run from before a visit. */
export function ForkMenu({ run, visit, onFork }: { run: string; visit: string; onFork: (run: string) => void }) {
  const { t } = useTranslation();
  const fork = useMutation({
    mutationFn: (mode: "run" | "debug") => runFork(run, visit, mode),
    onSuccess: (made) => onFork(made.run),
  });
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default" leftSection={<IconGitFork size={14} />} loading={fork.isPending}>
            {t("run.fork.from")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => fork.mutate("run")}>{t("run.fork.run")}</Menu.Item>
          <Menu.Item onClick={() => fork.mutate("debug")}>{t("run.fork.debug")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ErrorLine error={fork.error} />
    </>
  );
}
