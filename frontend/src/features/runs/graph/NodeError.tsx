import { Button } from "@mantine/core";
import { IconCircleX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RunError } from "@/shared/api/shapes";
import { Said } from "@/shared/ui/Said";
import classes from "../view/Run.module.css";

interface Props {
  error: RunError;
  /** The graph's name and the run, for the way to the editor. */
  graph: string;
  run: string;
  /** What to do about it while the run is held. */
  hint?: string;
  onShow?: () => void;
}

/** What went wrong in which step, and the way to mend it. */
export function NodeError({ error, graph, run, hint, onShow }: Props) {
  const { t } = useTranslation();
  const node = error.node ?? null;
  const message = node && error.message.startsWith(`${node}: `) ? error.message.slice(node.length + 2) : error.message;
  return (
    <div className={classes.error} role="alert">
      <IconCircleX size={18} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{node ? t("run.nodeFailed", { node }) : t("runError.other")}</b>
        </p>
        <p style={{ overflowWrap: "anywhere" }}>
          <Said text={message} />
        </p>
        {hint && <p className="muted">{hint}</p>}
        <div className="row" style={{ marginTop: 8, flexWrap: "wrap" }}>
          {onShow && (
            <Button size="compact-sm" variant="default" onClick={onShow}>
              {t("run.showStep")}
            </Button>
          )}
          <Button
            component={Link}
            to={`/graphs/${encodeURIComponent(graph)}?run=${run}${node ? `&node=${encodeURIComponent(node)}` : ""}`}
            size="compact-sm"
            variant="default"
          >
            {t("run.mendInEditor")}
          </Button>
        </div>
      </div>
    </div>
  );
}
