import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { runRead } from "@/features/runs/requests/runRead";
import { useEditor } from "../context";
import classes from "../Editor.module.css";

/** In a graph that was opened to mend it for another one's run: whether that will use it as it is, and the way back. */
export function BackBar() {
  const { t } = useTranslation();
  const { back } = useSearch({ strict: false }) as { back?: string };
  const revision = useEditor((state) => state.draft.revision);
  const published = useEditor((state) => state.draft.published_revision);
  const { data: run } = useQuery({
    queryKey: ["run", back],
    queryFn: () => runRead(back!),
    enabled: back !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  if (!run || run.kind !== "graph") return null;
  const node = run.error?.node ? `&node=${encodeURIComponent(run.error.node)}` : "";
  const used = published === null ? "newest" : published === revision ? "published" : "older";
  return (
    <div className={classes.runBar} role="region" aria-label={t("graphs.inside.bar")}>
      <Button
        component={Link}
        to={`/graphs/${encodeURIComponent(run.name)}?run=${run.id}${node}`}
        size="compact-sm"
        leftSection={<IconArrowLeft size={14} />}
      >
        {t("graphs.inside.back", { name: run.name })}
      </Button>
      <span className="muted small">{t(`graphs.inside.${used}`, { revision, published })}</span>
    </div>
  );
}
