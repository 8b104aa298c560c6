import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/shared/api/client";
import type { CallInfo } from "@/shared/api/shapes";

/** What graphs are mostly made of comes first; kinds that others wrote come after, in the server's order. */
const ORDER = ["Tool", "LLM", "Ask", "Convert", "Extract", "ForEach", "Graph", "Delay"];

export function inOrder<Call extends { name: string }>(calls: readonly Call[]): Call[] {
  const rank = ({ name }: Call) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return [...calls].sort((a, b) => rank(a) - rank(b));
}

/** The kinds of steps, in the reader's language. */
export function callsQuery(language: string) {
  return queryOptions({
    queryKey: ["calls", language],
    staleTime: Infinity,
    queryFn: async (): Promise<CallInfo[]> => {
      const { results } = await unwrap<{ results: CallInfo[] }>(
        client.GET("/api/v1/calls/", { params: { query: { language: language.startsWith("zh") ? "zh" : "en" } } }),
      );
      return inOrder(results);
    },
  });
}
