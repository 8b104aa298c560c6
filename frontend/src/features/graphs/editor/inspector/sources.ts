/** What the open graph's steps need to know of tools, other graphs and environments. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { environmentList } from "@/features/environments/requests/environmentList";
import { environmentRead } from "@/features/environments/requests/environmentRead";
import { toolRead } from "@/features/tools/requests/toolRead";
import { useMay } from "@/shared/session/session";
import { fieldOf, type GraphNode, textOf } from "../../document/graph";
import { graphState, type Sources, toolVariables, typeOfSchema, typeOfState } from "../../document/outputs";
import { graphRead } from "../../requests/graphRequests";

/** Environments that are looked into for names. */
const MOST = 20;
const FRESH_MS = 30_000;

export function toolShape(name: string) {
  return {
    queryKey: ["tool-shape", name],
    staleTime: FRESH_MS,
    retry: false,
    queryFn: async () => {
      const { params, yaml, env } = await toolRead(name);
      return {
        params: params.map((param) => ({ ...param, type: typeOfSchema({ type: param.type }) })),
        variables: toolVariables(yaml),
        env,
      };
    },
  };
}

export function graphShape(name: string) {
  return {
    queryKey: ["graph-shape", name],
    staleTime: FRESH_MS,
    retry: false,
    queryFn: async () => {
      const { inputs, yaml } = await graphRead(name);
      return {
        inputs: inputs.map((input) => ({
          name: input.name,
          type: input.name === "messages" ? ("list" as const) : typeOfState(input.type),
          description: input.description ?? "",
          required: false,
        })),
        state: graphState(yaml),
      };
    },
  };
}

function useEnvironmentNames(): readonly string[] | undefined {
  const may = useMay("environments.names");
  return useQuery({
    queryKey: ["environment-entries"],
    enabled: may,
    staleTime: FRESH_MS,
    queryFn: async () => {
      const { results } = await environmentList();
      const all = await Promise.all(results.slice(0, MOST).map(({ name }) => environmentRead(name)));
      const names = all.flatMap(({ variables, secrets }) => [...variables, ...secrets].map(({ name }) => name));
      return [...new Set(names)].sort();
    },
  }).data;
}

const named = (nodes: readonly GraphNode[], setting: string) => [
  ...new Set(nodes.map((node) => textOf(fieldOf(node.settings, setting))).filter(Boolean)),
];

/** Asks for the tools and graphs that steps use, and for what environments have. */
export function useSources(nodes: readonly GraphNode[]): Sources {
  const tools = named(nodes, "tool");
  const graphs = named(nodes, "graph");
  const toolShapes = useQueries({ queries: tools.map(toolShape) }).map(({ data }) => data);
  const graphShapes = useQueries({ queries: graphs.map(graphShape) }).map(({ data }) => data);
  const env = useEnvironmentNames();
  return {
    tool: (name) => toolShapes[tools.indexOf(name)],
    graph: (name) => graphShapes[graphs.indexOf(name)],
    env: env ?? [],
  };
}
