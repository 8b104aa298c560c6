import { client, unwrap } from "@/shared/api/client";
import type { Settings } from "@/shared/api/shapes";

export function settingsUpdate(body: Settings): Promise<Settings> {
  return unwrap<Settings>(client.PATCH("/api/v1/settings/", { body }));
}
