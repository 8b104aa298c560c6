/** What Ctrl+K offers: places, commands, and the tools, graphs and runs by name. */
import { useMantineColorScheme } from "@mantine/core";
import {
  type Icon,
  IconApi,
  IconHelpCircle,
  IconHierarchy2,
  IconLogout,
  IconMoon,
  IconPlayerPlay,
  IconPlus,
  IconSun,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { graphList } from "@/features/graphs/requests/graphRequests";
import { runList } from "@/features/runs/requests/runList";
import { toolList } from "@/features/tools/requests/toolList";
import type { Permission, RunRow } from "@/shared/api/shapes";
import { useNewDocument } from "@/shared/documents/newDocument";
import { useDebounced } from "@/shared/hooks/useDebounced";
import { useFormat } from "@/shared/hooks/useFormat";
import { useSession } from "@/shared/session/session";
import { placesFor } from "./places";
import { useSignOut } from "./useSignOut";

export interface Choice {
  group: "places" | "tools" | "graphs" | "runs" | "commands";
  label: string;
  hint: string;
  icon: Icon;
  go: () => unknown;
}

const MOST = 8;
const LATEST_RUNS = 100;

/** The runs, newest first, whose name holds the text or whose id begins with it; none while nothing is asked. */
export function runsNamed(runs: readonly RunRow[], text: string): RunRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  return runs.filter(({ id, name }) => name.toLowerCase().includes(wanted) || id.startsWith(wanted)).slice(0, MOST);
}

function useCommands(onHelp: () => void): (Omit<Choice, "group" | "hint"> & { may?: Permission })[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const want = useNewDocument((state) => state.want);
  const make = (kind: "tools" | "graphs") => () => {
    want(kind);
    return navigate({ to: `/${kind}` });
  };
  return [
    { label: t("tools.new"), icon: IconPlus, may: "tools.write", go: make("tools") },
    { label: t("graphs.new"), icon: IconPlus, may: "graphs.write", go: make("graphs") },
    { label: `${t("settings.theme")}: ${t("theme.light")}`, icon: IconSun, go: () => setColorScheme("light") },
    { label: `${t("settings.theme")}: ${t("theme.dark")}`, icon: IconMoon, go: () => setColorScheme("dark") },
    { label: t("help.open"), icon: IconHelpCircle, go: onHelp },
    { label: t("session.signOut"), icon: IconLogout, go: signOut },
  ];
}

export function useChoices(text: string, onHelp: () => void): Choice[] {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const session = useSession();
  const commands = useCommands(onHelp);
  const search = useDebounced(text.trim(), 150);
  const tools = useQuery({ queryKey: ["tools", "go-to", search], queryFn: () => toolList({ search }) });
  const graphs = useQuery({ queryKey: ["graphs", "go-to", search], queryFn: () => graphList({ search }) });
  const runs = useQuery({ queryKey: ["runs", "go-to"], queryFn: () => runList({ limit: LATEST_RUNS }) });
  const named = ({ label }: { label: string }) => label.toLowerCase().includes(text.trim().toLowerCase());
  const may = (permission?: Permission) => !permission || session?.may.includes(permission);
  return [
    ...placesFor(session)
      .map(({ to, label, icon }): Choice => ({
        group: "places",
        label: t(label),
        hint: "",
        icon,
        go: () => navigate({ to }),
      }))
      .filter(named),
    ...(tools.data?.results ?? []).slice(0, MOST).map(({ name, desc }): Choice => ({
      group: "tools",
      label: name,
      hint: desc,
      icon: IconApi,
      go: () => navigate({ to: "/tools/$name", params: { name } }),
    })),
    ...(graphs.data?.results ?? []).slice(0, MOST).map(({ name, description }): Choice => ({
      group: "graphs",
      label: name,
      hint: description,
      icon: IconHierarchy2,
      go: () => navigate({ to: "/graphs/$name", params: { name } }),
    })),
    ...runsNamed(runs.data?.results ?? [], text).map(({ id, name, status, created_at: at }): Choice => ({
      group: "runs",
      label: name,
      hint: `${t(`status.${status}`)} · ${format.ago(at)}`,
      icon: IconPlayerPlay,
      go: () => navigate({ to: "/runs/$id", params: { id } }),
    })),
    ...commands
      .filter((command) => may(command.may) && named(command))
      .map(({ label, icon, go }): Choice => ({ group: "commands", label, hint: "", icon, go })),
  ];
}
