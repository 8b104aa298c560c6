import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { FailedPage } from "@/shared/ui/PlainPage";
import { Waiting } from "@/shared/ui/Waiting";
import { toolRead } from "../requests/toolRead";
import { ToolEditor } from "./ToolEditor";

/** A tool's editor, with the text as it is stored when the page is opened. */
export function ToolPage() {
  const { name } = useParams({ strict: false }) as { name: string };
  const tool = useQuery({
    queryKey: ["tool", name],
    queryFn: () => toolRead(name),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (tool.error) return <FailedPage error={tool.error} />;
  if (!tool.data || (tool.isFetching && !tool.isFetchedAfterMount)) return <Waiting />;
  return <ToolEditor key={name} tool={tool.data} />;
}
