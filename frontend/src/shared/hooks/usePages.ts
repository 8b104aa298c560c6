import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { cursorOf } from "@/shared/api/cursor";
import type { Page } from "@/shared/api/shapes";

interface Options {
  enabled?: boolean;
  /** The rows of before stay while others are asked for. */
  keep?: boolean;
  /** How often the rows are asked for anew, in ms. */
  refetchInterval?: number;
}

export type Pages<Row> = ReturnType<typeof usePages<Row>>;

/** A list that the server gives page by page, as the rows that were read until now. */
export function usePages<Row>(
  queryKey: QueryKey,
  ask: (cursor: string | undefined) => Promise<Page<Row>>,
  { keep, ...options }: Options = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => ask(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => cursorOf(last.next),
    placeholderData: keep ? keepPreviousData : undefined,
    ...options,
  });
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data]);
  return { ...query, rows };
}
