/** What can become a step: each kind of step and, found by its name, each tool and graph as a step that is set to it. */
import type { CallInfo } from "@/shared/api/shapes";
import type { Named } from "./inspector/useNames";
import { matches } from "./matches";

/** The kinds of steps that are set to something with a name, and the setting that takes it. */
export const SET_TO = { Tool: "tool", Graph: "graph" } as const;

export interface StepChoice {
  call: string;
  /** The tool or graph that the step is set to. */
  of?: string;
  label: string;
  description: string;
}

/** As many as can be looked over; who sees more types on. */
const MOST = 8;

export function choicesOf(
  calls: readonly CallInfo[],
  text: string,
  named: Record<keyof typeof SET_TO, readonly Named[]>,
): StepChoice[] {
  const kinds = matches(calls, text, ({ name, label, description }) => ({ name, label, words: description }));
  const own = calls.flatMap(({ name, label }) => {
    if (!text.trim() || !(name === "Tool" || name === "Graph")) return [];
    return named[name].map((one) => ({ call: name as string, of: one.name, label: one.name, kind: label, ...one }));
  });
  const found = matches(own, text, ({ of }) => ({ name: of, label: of, words: "" })).slice(0, MOST);
  return [
    ...kinds.map(({ name, label, description }) => ({ call: name, label, description })),
    ...found.map(({ call, of, kind, description }) => ({
      call,
      of,
      label: of,
      description: description ? `${kind} · ${description}` : kind,
    })),
  ];
}
