import { client, unwrap } from "@/shared/api/client";

export function userReset(username: string): Promise<{ set_up_link: string }> {
  return unwrap<{ set_up_link: string }>(
    client.POST("/api/v1/users/{username}/reset/", { params: { path: { username } } }),
  );
}
