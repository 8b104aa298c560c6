/** How each kind of step looks: its icon, and the fact about it that matters. */
import {
  type Icon,
  IconApi,
  IconBox,
  IconBracketsContain,
  IconHierarchy2,
  IconHourglass,
  IconMessageQuestion,
  IconRepeat,
  IconSparkles,
  IconTransform,
} from "@tabler/icons-react";
import { own } from "@/shared/own";
import { fieldOf, type GraphNode, textOf } from "../document/graph";

const ICONS: Record<string, Icon> = {
  Ask: IconMessageQuestion,
  Convert: IconTransform,
  Delay: IconHourglass,
  Extract: IconBracketsContain,
  ForEach: IconRepeat,
  Graph: IconHierarchy2,
  LLM: IconSparkles,
  Tool: IconApi,
};

export function iconOf(call: string): Icon {
  return own(ICONS, call) ?? IconBox;
}

const FACTS: Record<string, readonly string[]> = {
  Ask: ["question"],
  Convert: ["text", "values"],
  Delay: ["seconds"],
  Extract: ["instruction", "source"],
  ForEach: ["tool", "graph", "items"],
  Graph: ["graph"],
  LLM: ["user_prompt", "system_prompt"],
  Tool: ["tool"],
};

/** The second line of a step: the setting that matters, in one line. */
export function factOf({ call, settings }: GraphNode): string {
  for (const name of own(FACTS, call) ?? settings.map(([key]) => key)) {
    const value = fieldOf(settings, name);
    const text =
      value && "map" in value ? value.map.map(([key, inner]) => `${key} = ${textOf(inner)}`).join(", ") : textOf(value);
    if (text.trim()) return call === "Delay" ? `${text} s` : text.trim().split("\n")[0]!.slice(0, 200);
  }
  return "";
}

/** What a step is called. */
export const titleOf = (node: GraphNode): string => node.label || node.name;
