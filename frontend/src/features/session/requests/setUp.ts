import { client, unwrap } from "@/shared/api/client";
import type { Session } from "@/shared/api/shapes";

export function setUp(body: { token: string; username?: string; password: string }): Promise<Session> {
  return unwrap<Session>(client.POST("/api/v1/set-up/", { body }));
}
