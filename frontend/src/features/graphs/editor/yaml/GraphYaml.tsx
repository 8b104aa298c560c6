import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { toolList } from "@/features/tools/requests/toolList";
import YamlEditor from "@/shared/editor/yaml/YamlEditor";
import { graphList } from "../../requests/graphRequests";
import { modelList } from "../../requests/modelList";
import { useCalls, useGraph } from "../context";
import { useSources } from "../inspector/sources";
import { graphCompletions } from "./completion";

const namesOf = (list: typeof toolList | typeof graphList) => async () =>
  (await list({})).results.map(({ name }) => name);

/** The graph's YAML, with what can be written at the caret. */
export default function GraphYaml() {
  const { t } = useTranslation();
  const { graph } = useGraph();
  const calls = useCalls();
  const sources = useSources(graph.nodes);
  const tools = useQuery({ queryKey: ["tools", "all-names"], queryFn: namesOf(toolList) }).data ?? [];
  const graphs = useQuery({ queryKey: ["graphs", "all-names"], queryFn: namesOf(graphList) }).data ?? [];
  const models = useQuery({ queryKey: ["models"], queryFn: modelList }).data ?? [];
  const now = useRef({ graph, calls, sources, tools, graphs, models });
  useEffect(() => {
    now.current = { graph, calls, sources, tools, graphs, models };
  });
  const completion = useMemo(
    () =>
      graphCompletions({
        graph: () => now.current.graph,
        calls: () => now.current.calls,
        sources: () => now.current.sources,
        names: (widget) => {
          if (widget === "tool") return now.current.tools;
          return widget === "graph" ? now.current.graphs : now.current.models.map(({ name }) => name);
        },
        about: (place, field) => {
          const key = `${place}.${field}` as "top.name";
          return t(`graphs.about.${key}`);
        },
        typeName: (type) => (type === "any" ? "" : t(`graphs.types.${type}`)),
        updateName: (update) => t(`graphs.updates.${update as "add"}`),
      }),
    [t],
  );
  return <YamlEditor label={t("graphs.yamlLabel")} completion={completion} />;
}
