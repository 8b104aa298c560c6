import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/shared/api/client";
import type { CallInfo } from "@/shared/api/shapes";

/** The kinds of steps, in the reader's language. */
export function callsQuery(language: string) {
  return queryOptions({
    queryKey: ["calls", language],
    staleTime: Infinity,
    queryFn: async (): Promise<CallInfo[]> => {
      const { results } = await unwrap<{ results: CallInfo[] }>(
        client.GET("/api/v1/calls/", { params: { query: { language: language.startsWith("zh") ? "zh" : "en" } } }),
      );
      return results;
    },
  });
}
