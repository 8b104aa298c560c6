import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { FailedPage } from "@/shared/ui/PlainPage";
import { Waiting } from "@/shared/ui/Waiting";
import { graphRead } from "../requests/graphRequests";
import { GraphEditor } from "./GraphEditor";

/** A graph's editor, with the text as it is stored when the page is opened. */
export function GraphPage() {
  const { name } = useParams({ strict: false }) as { name: string };
  const graph = useQuery({
    queryKey: ["graph", name],
    queryFn: () => graphRead(name),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (graph.error) return <FailedPage error={graph.error} />;
  if (!graph.data || (graph.isFetching && !graph.isFetchedAfterMount)) return <Waiting />;
  return <GraphEditor key={name} graph={graph.data} />;
}
