import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { toolList } from "@/features/tools/requests/toolList";
import { graphList } from "../../requests/graphRequests";

export interface Named {
  name: string;
  description: string;
}

/** Tools or graphs, found by what is typed where there are more than a page of them. */
export function useNames(kind: "tools" | "graphs", search: string, enabled = true): Named[] {
  const list = kind === "graphs" ? graphList : toolList;
  const ask = (text: string) => async () => {
    const { results, next } = await list(text ? { search: text } : {});
    return {
      named: results.map((row) => ({ name: row.name, description: "desc" in row ? row.desc : row.description })),
      more: next !== null,
    };
  };
  const all = useQuery({ queryKey: [kind, "names"], queryFn: ask(""), enabled });
  const found = useQuery({
    queryKey: [kind, "names", search],
    queryFn: ask(search),
    enabled: enabled && search !== "" && all.data?.more === true,
    placeholderData: keepPreviousData,
  });
  const both = [...(all.data?.named ?? []), ...(search ? (found.data?.named ?? []) : [])];
  return [...new Map(both.map((one) => [one.name, one])).values()];
}
