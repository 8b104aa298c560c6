import { client, unwrap } from "@/shared/api/client";

export function signOut(): Promise<unknown> {
  return unwrap(client.DELETE("/api/v1/session/", {}));
}
