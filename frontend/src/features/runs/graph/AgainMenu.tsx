import { Button, Menu, Tooltip } from "@mantine/core";
import { IconBug, IconPlayerPlay, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { graphRead } from "@/features/graphs/requests/graphRequests";
import type { Run } from "@/shared/api/shapes";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { own } from "@/shared/own";
import { graphStart } from "../requests/graphStart";
import { runFork } from "../requests/runFork";
import { runRetry } from "../requests/runRetry";
import { knownStops, useBreakpoints } from "./breakpoints";
import { useStarter } from "./startGate";

interface Props {
  run: Run;
  nodes: readonly { name: string }[];
  failed: boolean;
  /** The visit of the outer graph that failed. */
  failedAt: string | undefined;
}

/** A new run of the same graph with the same inputs, or from where this one failed. */
export function AgainMenu({ run, nodes, failed, failedAt }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = (id: string) => void navigate({ to: "/runs/$id", params: { id } as never });
  const edits = useMay("graphs.write");
  const now = useQuery({
    queryKey: ["graph", run.name, "versions-now"],
    queryFn: () => graphRead(run.name),
    enabled: !edits,
    retry: false,
  });
  /** Who may not edit runs what is published. */
  const offered = edits || (now.data ?? null)?.published_revision != null;
  const retry = useStarter(() => runRetry(run.id), go);
  const mended = useStarter(async (visit: string) => {
    const { published_revision: published, revision } = await graphRead(run.name);
    return runFork(run.id, visit, "run", edits ? revision : (published ?? revision));
  }, go);
  const again = useStarter((mode: "run" | "debug") => {
    useBreakpoints.getState().read(run.name);
    const stops = own(useBreakpoints.getState().byGraph, run.name) ?? [];
    return graphStart(run.name, {
      inputs: run.inputs,
      environment: run.environment,
      revision: edits ? run.revision : undefined,
      mode,
      breakpoints: mode === "debug" ? knownStops(stops, nodes) : [],
    });
  }, go);
  return (
    <>
      {failed && (
        <Tooltip label={t("run.retryHint")} multiline w={280}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={retry.busy}
            onClick={() => retry.begin()}
          >
            {t("run.retry")}
          </Button>
        </Tooltip>
      )}
      {offered && (
        <Menu>
          <Menu.Target>
            <Tooltip label={t("run.againHint")} multiline w={280}>
              <Button variant="default" loading={again.busy || mended.busy}>
                {t("run.again")}
              </Button>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconRefresh size={14} />} onClick={() => again.begin("run")}>
              {t("run.againRun")}
            </Menu.Item>
            <Menu.Item leftSection={<IconBug size={14} />} onClick={() => again.begin("debug")}>
              {t("run.againDebug")}
            </Menu.Item>
            {failedAt && (
              <Menu.Item leftSection={<IconPlayerPlay size={14} />} onClick={() => mended.begin(failedAt)}>
                {t("run.againMended")}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <ErrorLine error={retry.error ?? again.error ?? mended.error} />
    </>
  );
}
