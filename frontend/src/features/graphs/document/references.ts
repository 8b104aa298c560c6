/** What a step can refer to: the state, the inputs, what earlier steps put out, the environment. */
import type { CallInfo } from "@/shared/api/shapes";
import type { Graph } from "./graph";
import { textsIn } from "./needed";
import { outputsOf, type Sources, typeOfState, type ValueType } from "./outputs";

export const REFERENCE_KINDS = ["item", "state", "node", "input", "sys", "env"] as const;

export interface Reference {
  text: string;
  kind: (typeof REFERENCE_KINDS)[number];
  /** What it is called in a list; below `step` for what a step puts out. */
  name: string;
  type: ValueType;
  step?: string;
}

/** The steps from which a way leads to one, the nearest first. */
export function earlier(graph: Graph, name: string): string[] {
  const seen = new Set<string>();
  let edge = [name];
  while (edge.length) {
    const before = graph.edges.filter(({ targets }) => targets.some((target) => edge.includes(target)));
    edge = [...new Set(before.map(({ source }) => source))].filter((one) => !seen.has(one));
    for (const one of edge) seen.add(one);
  }
  return [...seen].filter((one) => graph.nodes.some((node) => node.name === one));
}

const ITEM: readonly [string, ValueType][] = [
  ["value", "any"],
  ["index", "int"],
];

const QUESTION = "${sys:question}";

/** Whether there is a question: the graph takes messages, or a step counts on it all the same. */
function hasQuestion({ inputs, nodes }: Graph): boolean {
  const counts = ([, value]: Graph["nodes"][number]["settings"][number]) =>
    textsIn(value).some((text) => text.includes(QUESTION));
  return inputs.includes("messages") || nodes.some(({ settings }) => settings.some(counts));
}

export function referencesFor(graph: Graph, name: string, calls: readonly CallInfo[], sources: Sources): Reference[] {
  const typeOf = (variable: string): ValueType =>
    variable === "messages" ? "list" : typeOfState(graph.state.find((one) => one.name === variable)?.type ?? "");
  const state = graph.state.map((one) => one.name).filter(Boolean);
  const call = graph.nodes.find((node) => node.name === name)?.call;
  return [
    ...(call === "ForEach"
      ? ITEM.map(([one, type]): Reference => ({ text: `\${item:${one}}`, kind: "item", name: one, type }))
      : []),
    ...state.map((one): Reference => ({ text: `\${state:${one}}`, kind: "state", name: one, type: typeOf(one) })),
    ...earlier(graph, name).flatMap((step) =>
      outputsOf(graph, step, calls, sources).map(({ path, type }): Reference => ({
        text: `\${node:${step}/${path}}`,
        kind: "node",
        name: path,
        step,
        type,
      })),
    ),
    ...graph.inputs.map((one): Reference => ({
      text: `\${input:${one}}`,
      kind: "input",
      name: one,
      type: typeOf(one),
    })),
    ...(hasQuestion(graph) ? [{ text: QUESTION, kind: "sys", name: "question", type: "str" } as const] : []),
    ...sources.env.map((one): Reference => ({ text: `\${env:${one}}`, kind: "env", name: one, type: "str" })),
  ];
}

/** The same value in an expression; null where expressions have no such thing. */
export function expressionFor({ kind, name, step }: Reference): string | null {
  const roots = { state: "state", input: "input", node: "steps", sys: null, env: null, item: null };
  const root = roots[kind];
  if (root === null) return null;
  const parts = [...(step === undefined ? [] : [step]), ...name.split("/")];
  return parts.reduce(
    (text, part) => text + (/^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`),
    root,
  );
}
