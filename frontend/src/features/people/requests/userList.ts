import { client, unwrap } from "@/shared/api/client";
import type { Page, User } from "@/shared/api/shapes";

export function userList(cursor?: string): Promise<Page<User>> {
  return unwrap<Page<User>>(client.GET("/api/v1/users/", { params: { query: { cursor } } }));
}
