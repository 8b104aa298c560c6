import {
  type Icon, IconApi, IconClipboardList, IconPlayerPlay, IconServer2, IconSettings, IconUsers,
} from "@tabler/icons-react";
import type { Permission } from "@/shared/api/shapes";

export interface Place {
  to: "/tools" | "/runs" | "/environments" | "/people" | "/audit" | "/settings";
  label: "places.tools" | "places.runs" | "places.environments" | "places.people" | "places.audit" | "places.settings";
  icon: Icon;
  /** Who sees it; everyone when absent. */
  may?: Permission;
}

export const PLACES: Place[] = [
  { to: "/tools", label: "places.tools", icon: IconApi, may: "tools.read" },
  { to: "/runs", label: "places.runs", icon: IconPlayerPlay, may: "runs.read" },
  { to: "/environments", label: "places.environments", icon: IconServer2, may: "environments.write" },
  { to: "/people", label: "places.people", icon: IconUsers },
  { to: "/audit", label: "places.audit", icon: IconClipboardList, may: "audit.read" },
  { to: "/settings", label: "places.settings", icon: IconSettings },
];
