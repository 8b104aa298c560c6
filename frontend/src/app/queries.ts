import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/shared/api/client";

/** Only a lost connection or a server's fault is worth asking again. */
function again(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: again, staleTime: 5000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
