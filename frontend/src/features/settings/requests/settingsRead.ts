import { client, unwrap } from "@/shared/api/client";
import type { Settings } from "@/shared/api/shapes";

export function settingsRead(): Promise<Settings> {
  return unwrap<Settings>(client.GET("/api/v1/settings/", {}));
}
