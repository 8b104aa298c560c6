import {
  type Icon,
  IconApi,
  IconClipboardList,
  IconHierarchy2,
  IconKey,
  IconMessageQuestion,
  IconPlayerPlay,
  IconServer2,
  IconSettings,
  IconUsers,
} from "@tabler/icons-react";
import type { Permission, Session } from "@/shared/api/shapes";

export interface Place {
  to: "/tools" | "/graphs" | "/runs" | "/questions" | "/environments" | "/people" | "/audit" | "/settings";
  label:
    | "places.tools"
    | "places.graphs"
    | "places.runs"
    | "places.waiting"
    | "places.environments"
    | "places.people"
    | "people.tokens"
    | "places.audit"
    | "places.settings";
  icon: Icon;
  /** Who sees it; everyone when absent. */
  may?: Permission;
  /** Who doesn't see it. */
  mayNot?: Permission;
}

/** The places that someone sees. */
export function placesFor(session: Session | null): Place[] {
  const may = session?.may ?? [];
  return PLACES.filter(
    (place) => (!place.may || may.includes(place.may)) && (!place.mayNot || !may.includes(place.mayNot)),
  );
}

const PLACES: Place[] = [
  { to: "/tools", label: "places.tools", icon: IconApi, may: "tools.read" },
  { to: "/graphs", label: "places.graphs", icon: IconHierarchy2, may: "graphs.read" },
  { to: "/runs", label: "places.runs", icon: IconPlayerPlay, may: "runs.read" },
  { to: "/questions", label: "places.waiting", icon: IconMessageQuestion, may: "runs.read" },
  { to: "/environments", label: "places.environments", icon: IconServer2, may: "environments.write" },
  { to: "/people", label: "places.people", icon: IconUsers, may: "users.write" },
  { to: "/people", label: "people.tokens", icon: IconKey, mayNot: "users.write" },
  { to: "/audit", label: "places.audit", icon: IconClipboardList, may: "audit.read" },
  { to: "/settings", label: "places.settings", icon: IconSettings },
];
