import { useQuery } from "@tanstack/react-query";
import { useDraft, useDraftHandle } from "@/shared/editor/DraftContext";
import { savedTestList, testsKey } from "./requests";

/** The saved tests of the open tool or graph. */
export function useTests() {
  const { kind } = useDraftHandle();
  const name = useDraft((state) => state.draft.name);
  return useQuery({ queryKey: testsKey(kind.place, name), queryFn: () => savedTestList(kind.place, name) });
}
