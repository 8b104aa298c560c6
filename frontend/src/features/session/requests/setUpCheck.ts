import { client, unwrap } from "@/shared/api/client";
import type { SetUpCheck } from "@/shared/api/shapes";

export function setUpCheck(token: string): Promise<SetUpCheck> {
  return unwrap<SetUpCheck>(client.POST("/api/v1/set-up/check/", { body: { token } }));
}
