import { client, unwrap } from "@/shared/api/client";
import type { Role, User } from "@/shared/api/shapes";

export function userInvite(body: {
  username: string;
  email?: string;
  role: Role;
}): Promise<User & { set_up_link: string }> {
  return unwrap<User & { set_up_link: string }>(client.POST("/api/v1/users/", { body }));
}
