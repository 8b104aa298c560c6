/** Who is signed in, and what they may do. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { create } from "zustand";
import { client, ApiError, unwrap } from "@/shared/api/client";
import type { Permission, Session } from "@/shared/api/shapes";

/** The session, or null when signed out. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await unwrap<Session>(client.GET("/api/v1/session/", {}));
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export function useSession(): Session | null {
  return useQuery(sessionQuery).data ?? null;
}

export function useMay(permission: Permission): boolean {
  return useSession()?.may.includes(permission) ?? false;
}

interface LostSession {
  /** The session ended while this page was open; the page stays and asks to sign in again. */
  lost: boolean;
  /** Whose session it was. */
  username: string | null;
  /** Someone else signed in: what was not saved belongs to nobody here. */
  discarded: boolean;
  discard: () => void;
  lose: (username: string | null) => void;
  regain: () => void;
}

export const useLostSession = create<LostSession>((set) => ({
  lost: false,
  username: null,
  discarded: false,
  discard: () => set({ discarded: true, lost: false }),
  lose: (username) => set({ lost: true, username }),
  regain: () => set({ lost: false }),
}));
