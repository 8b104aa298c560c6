import { client, unwrap } from "@/shared/api/client";
import type { Session } from "@/shared/api/shapes";

export function signIn(username: string, password: string): Promise<Session> {
  return unwrap<Session>(client.POST("/api/v1/session/", { body: { username, password } }));
}
