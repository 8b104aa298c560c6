import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOnce } from "@/shared/hooks/useOnce";
import type { DocumentKind } from "./kind";

/** Makes a document and opens it. */
export function useCreate({ kind, create }: DocumentKind, onDone?: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useOnce({
    mutationFn: create,
    onSuccess: ({ name }) => {
      void queries.invalidateQueries({ queryKey: [kind] });
      onDone?.();
      void navigate({ to: `/${kind}/$name`, params: { name } });
    },
  });
}
