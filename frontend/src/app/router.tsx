import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { sessionQuery } from "@/shared/session/session";
import { FailedPage, NotFoundPage } from "@/shared/ui/PlainPage";
import { Waiting } from "@/shared/ui/Waiting";
import { queryClient } from "./queries";
import { Root } from "./Root";
import { Shell } from "./Shell";

/** Search parameters are plain texts; what isn't set isn't in the address. */
function texts(...names: string[]) {
  return (search: Record<string, unknown>): Record<string, string | undefined> =>
    Object.fromEntries(
      names
        .filter((name) => search[name] !== undefined && search[name] !== "")
        .map((name) => [name, String(search[name])]),
    );
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: texts("next"),
  component: lazyRouteComponent(() => import("@/features/session/SignInPage"), "SignInPage"),
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  validateSearch: texts("token"),
  component: lazyRouteComponent(() => import("@/features/session/SetUpPage"), "SetUpPage"),
});

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!session)
      throw redirect({ to: "/sign-in", search: { next: location.href === "/" ? undefined : location.href } });
  },
});
const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/tools" });
  },
});
const tools = createRoute({
  getParentRoute: () => inside,
  path: "/tools",
  validateSearch: texts("search", "state"),
  component: lazyRouteComponent(() => import("@/features/tools/list/ToolsPage"), "ToolsPage"),
});
const tool = createRoute({
  getParentRoute: () => inside,
  path: "/tools/$name",
  validateSearch: texts("run", "show"),
  component: lazyRouteComponent(() => import("@/features/tools/editor/ToolPage"), "ToolPage"),
  loader: () => {
    void import("@/features/tools/editor/yaml/ToolYaml");
  },
});
const graphs = createRoute({
  getParentRoute: () => inside,
  path: "/graphs",
  validateSearch: texts("search", "state"),
  component: lazyRouteComponent(() => import("@/features/graphs/list/GraphsPage"), "GraphsPage"),
});
const graph = createRoute({
  getParentRoute: () => inside,
  path: "/graphs/$name",
  validateSearch: texts("run", "node", "show", "back"),
  component: lazyRouteComponent(() => import("@/features/graphs/editor/GraphPage"), "GraphPage"),
});
const runs = createRoute({
  getParentRoute: () => inside,
  path: "/runs",
  validateSearch: texts("kind", "name", "status", "user", "from", "to"),
  component: lazyRouteComponent(() => import("@/features/runs/RunsPage"), "RunsPage"),
});
const run = createRoute({
  getParentRoute: () => inside,
  path: "/runs/$id",
  validateSearch: texts("tab"),
  component: lazyRouteComponent(() => import("@/features/runs/RunPage"), "RunPage"),
});
const compare = createRoute({
  getParentRoute: () => inside,
  path: "/runs/$id/compare/$other",
  component: lazyRouteComponent(() => import("@/features/runs/compare/ComparePage"), "ComparePage"),
});
const waiting = createRoute({
  getParentRoute: () => inside,
  path: "/questions",
  component: lazyRouteComponent(() => import("@/features/runs/WaitingPage"), "WaitingPage"),
});
const environments = createRoute({
  getParentRoute: () => inside,
  path: "/environments",
  validateSearch: texts("name"),
  component: lazyRouteComponent(() => import("@/features/environments/EnvironmentsPage"), "EnvironmentsPage"),
});
const people = createRoute({
  getParentRoute: () => inside,
  path: "/people",
  component: lazyRouteComponent(() => import("@/features/people/PeoplePage"), "PeoplePage"),
});
const audit = createRoute({
  getParentRoute: () => inside,
  path: "/audit",
  validateSearch: texts("actor", "action"),
  component: lazyRouteComponent(() => import("@/features/audit/AuditPage"), "AuditPage"),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: "/settings",
  component: lazyRouteComponent(() => import("@/features/settings/SettingsPage"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setUp,
    inside.addChildren([
      home,
      tools,
      tool,
      graphs,
      graph,
      runs,
      run,
      compare,
      waiting,
      environments,
      people,
      audit,
      settings,
    ]),
  ]),
  defaultPreload: "intent",
  defaultPendingComponent: Waiting,
  defaultPendingMs: 300,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFoundPage,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== "") as [string, string][];
    const text = new URLSearchParams(set).toString();
    return text ? `?${text}` : "";
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
