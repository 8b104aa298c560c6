/** The names that a graph takes from its environment. */
import type { Plain } from "@/shared/yaml/plain";
import { fieldOf, type GraphNode, textOf } from "./graph";

const ENV = /\$\{env:([^}]+)\}/g;

/** The texts in a value, at any depth. */
export function textsIn(value: Plain): string[] {
  if ("map" in value) return value.map.flatMap(([, one]) => textsIn(one));
  if ("seq" in value) return value.seq.flatMap(textsIn);
  return [textOf(value)];
}

/** The tools that a step names: the one it calls, or those that its model may call. */
export function toolsOf({ settings }: Pick<GraphNode, "settings">): string[] {
  const many = fieldOf(settings, "tools");
  const names = [textOf(fieldOf(settings, "tool")), ...(many && "seq" in many ? many.seq.map(textOf) : [])];
  return names.filter(Boolean);
}

/** What the steps' own settings and their tools take; `envOf` tells it of a tool, once that is known. */
export function neededOf(
  nodes: readonly Pick<GraphNode, "settings">[],
  envOf: (tool: string) => readonly string[] | undefined,
): string[] {
  const needed = nodes.flatMap((node) => [
    ...node.settings.flatMap(([, value]) =>
      textsIn(value).flatMap((text) => [...text.matchAll(ENV)].map((found) => found[1]!)),
    ),
    ...toolsOf(node).flatMap((tool) => envOf(tool) ?? []),
  ]);
  return [...new Set(needed)];
}
