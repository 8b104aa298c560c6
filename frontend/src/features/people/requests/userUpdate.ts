import { client, unwrap } from "@/shared/api/client";
import type { Role, User } from "@/shared/api/shapes";

export function userUpdate(username: string, body: { role?: Role; active?: boolean; email?: string }): Promise<User> {
  return unwrap<User>(client.PATCH("/api/v1/users/{username}/", { params: { path: { username } }, body }));
}
