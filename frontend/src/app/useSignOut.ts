import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signOut } from "@/features/session/requests/signOut";

/** Ends the session, here and on the server; what was read goes with it. */
export function useSignOut(): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: signOut,
    onSettled: async () => {
      await navigate({ to: "/sign-in" });
      queries.clear();
    },
  });
  return () => leave.mutate();
}
