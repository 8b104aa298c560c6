import { client, unwrap } from "@/shared/api/client";

export function userEndSessions(username: string): Promise<unknown> {
  return unwrap(client.POST("/api/v1/users/{username}/end-sessions/", { params: { path: { username } } }));
}
