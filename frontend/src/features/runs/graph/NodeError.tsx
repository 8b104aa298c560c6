import { Button } from "@mantine/core";
import { IconCircleX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RunError } from "@/shared/api/shapes";
import { useMay } from "@/shared/session/session";
import { Said } from "@/shared/ui/Said";
import { messageOf } from "./visits";
import classes from "../view/Run.module.css";

interface Props {
  error: RunError;
  /** What to do about it. */
  hint?: string;
  /** Buttons that help. */
  children?: ReactNode;
}

/** The way from a run's page to where its graph is mended. */
export function MendLink({ graph, run, node }: { graph: string; run: string; node?: string | null }) {
  const { t } = useTranslation();
  const mayWrite = useMay("graphs.write");
  return (
    <Button
      component={Link}
      to={`/graphs/${encodeURIComponent(graph)}?run=${run}${node ? `&node=${encodeURIComponent(node)}` : ""}`}
      size="compact-sm"
      variant="default"
    >
      {t(mayWrite ? "run.mendInEditor" : "run.openInEditor")}
    </Button>
  );
}

/** The way into a nested graph, to the step that failed there, and from there back to the run. */
export function OpenInside({ run, graph, node }: { run: string; graph: string; node: string }) {
  const { t } = useTranslation();
  return (
    <Button
      component={Link}
      to={`/graphs/${encodeURIComponent(graph)}?node=${encodeURIComponent(node)}&back=${run}`}
      size="compact-sm"
      variant="default"
    >
      {t("run.openInside", { graph, node })}
    </Button>
  );
}

/** What went wrong in which step, and the way to mend it. */
export function NodeError({ error, hint, children }: Props) {
  const { t } = useTranslation();
  const node = error.node ?? null;
  return (
    <div className={classes.error} role="alert">
      <IconCircleX size={18} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{node ? t("run.nodeFailed", { node }) : t("runError.other")}</b>
        </p>
        <p style={{ overflowWrap: "anywhere" }}>
          <Said text={messageOf(error)} />
        </p>
        {hint && <p className="muted">{hint}</p>}
        <div className="row" style={{ marginTop: 8, flexWrap: "wrap" }}>
          {children}
        </div>
      </div>
    </div>
  );
}
