import { useQueries, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { graphRead } from "@/features/graphs/requests/graphRequests";
import { runRead } from "@/features/runs/requests/runRead";
import { useEditor } from "../context";

/** Says by which versions of the graphs within it a run goes on, where it goes on with the mended graph. */
export function GoOnVersions({ run }: { run: string }) {
  const { t, i18n } = useTranslation();
  const published = useEditor(({ readOnly, draft }) => (readOnly ? draft.published_revision : undefined));
  const ended = useQuery({ queryKey: ["run", run, "entered"], queryFn: () => runRead(run), retry: false });
  const entered = (ended.data?.entered ?? []).filter(({ kind }) => kind === "graph");
  const graphs = useQueries({
    queries: entered.map(({ name }) => ({
      queryKey: ["graph", name, "versions-now"],
      queryFn: () => graphRead(name),
      staleTime: 0,
      retry: false,
    })),
  });
  const told = entered.flatMap(({ name, revision: used }, index) => {
    const graph = graphs[index]?.data;
    if (!graph) return [];
    const revision = graph.published_revision ?? graph.revision;
    const words = { name, revision, used, newest: graph.revision };
    if (revision < graph.revision) return [t("graphs.inside.notPublished", words)];
    return [t(revision === used ? "graphs.inside.same" : "graphs.inside.newer", words)];
  });
  if (published === null) return null;
  if (published !== undefined) told.unshift(t("graphs.inside.thisPublished", { revision: published }));
  if (told.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language).format(told);
  return (
    <p className="muted small">{t(published ? "graphs.inside.goesOnPublished" : "graphs.inside.goesOn", { list })}</p>
  );
}
