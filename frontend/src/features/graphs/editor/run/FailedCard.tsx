import { Button } from "@mantine/core";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { failedInside } from "@/features/runs/graph/inside";
import { NodeError, OpenInside } from "@/features/runs/graph/NodeError";
import type { RunError } from "@/shared/api/shapes";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useEditor, useUiHandle } from "../context";
import { GoOnVersions } from "./GoOnVersions";
import { useGoOn } from "./useStart";
import type { Watched } from "./watched";

/** Goes on from before a visit with the graph as it is on the screen; a run that is held there is stopped. */
export function GoOnButton({ watched, visit }: { watched: Watched; visit: string }) {
  const { t } = useTranslation();
  const nothing = useEditor(({ readOnly, draft }) => readOnly && draft.published_revision === null);
  const { row, fold } = watched.state;
  const goOn = useGoOn(row.id, () => watched.live && watched.control.send({ command: "cancel" }));
  const go = () => goOn.begin({ visit, mode: fold.mode === "debug" ? "debug" : "run" });
  if (nothing) return null;
  return (
    <>
      <Button size="compact-sm" leftSection={<IconPlayerPlayFilled size={12} />} loading={goOn.busy} onClick={go}>
        {t("graphs.goOnHere")}
      </Button>
      <ErrorLine error={goOn.error} />
    </>
  );
}

/** What failed, the way to its request and answer, to its settings, and on with the mended graph. */
export function FailedCard({ watched, error }: { watched: Watched; error: RunError }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const mayStart = useMay("runs.start");
  const readOnly = useEditor((state) => state.readOnly);
  const { fold } = watched.state;
  const failed = error.node ? fold.visitsOf(error.node).findLast((one) => one.state === "failed" || one.error) : null;
  const inside = failed ? failedInside(fold, failed) : null;
  const asked = failed !== null && failed !== undefined && (failed.steps.length > 0 || inside !== null);
  const see = (panel: "settings" | "output") => {
    if (failed) watched.inspected.pick(panel === "output" && inside ? inside.id : failed.id);
    ui.getState().set({ panel });
  };
  const hint = inside
    ? t("graphs.inside.hint", { graph: inside.error.graph })
    : t(failed?.parents.length ? "graphs.mendHint" : "graphs.mendFirstHint");
  return (
    <NodeError error={error} hint={failed && !readOnly ? hint : undefined}>
      {failed && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => see("output")}>
            {t(asked ? "graphs.seeRequest" : "graphs.seeStep")}
          </Button>
          {!readOnly && (
            <Button size="compact-sm" variant="default" onClick={() => see("settings")}>
              {t("graphs.mendSettings")}
            </Button>
          )}
          {inside && <OpenInside run={watched.state.row.id} graph={inside.error.graph} node={inside.node} />}
          {mayStart && !watched.live && <GoOnButton watched={watched} visit={failed.id} />}
          {mayStart && !watched.live && <GoOnVersions run={watched.state.row.id} />}
        </>
      )}
    </NodeError>
  );
}
