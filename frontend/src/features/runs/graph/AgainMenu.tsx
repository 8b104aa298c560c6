import { Button, Menu } from "@mantine/core";
import { IconBug, IconRefresh } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Run } from "@/shared/api/shapes";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { graphStart } from "../requests/graphStart";
import { runRetry } from "../requests/runRetry";
import { useBreakpoints } from "./breakpoints";

/** A new run of the same graph with the same inputs, or from where this one failed. */
export function AgainMenu({ run, failed }: { run: Run; failed: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = (made: { run: string }) => void navigate({ to: "/runs/$id", params: { id: made.run } as never });
  const retry = useMutation({ mutationFn: () => runRetry(run.id), onSuccess: go });
  const again = useMutation({
    mutationFn: (mode: "run" | "debug") => {
      useBreakpoints.getState().read(run.name);
      return graphStart(run.name, {
        inputs: run.inputs,
        environment: run.environment,
        revision: run.revision,
        mode,
        breakpoints: mode === "debug" ? useBreakpoints.getState().byGraph[run.name] : [],
      });
    },
    onSuccess: go,
  });
  return (
    <>
      {failed && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t("run.retry")}
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <Button variant="default" loading={again.isPending}>
            {t("run.again")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={14} />} onClick={() => again.mutate("run")}>
            {t("run.againRun")}
          </Menu.Item>
          <Menu.Item leftSection={<IconBug size={14} />} onClick={() => again.mutate("debug")}>
            {t("run.againDebug")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ErrorLine error={retry.error ?? again.error} />
    </>
  );
}
