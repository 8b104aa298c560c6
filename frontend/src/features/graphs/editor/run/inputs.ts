/** What a graph asks for at the start, as fields of text, and back. */
import { fromPlain, parseExact, writeJson } from "@/shared/json/exact";
import type { Graph } from "../../document/graph";

export interface Asked {
  name: string;
  type: string;
  description: string;
}

export type Parsed =
  { ok: true; value: unknown } | { ok: false; why: "run.wantsInteger" | "run.wantsNumber" | "graphs.notJson" };

export const isJson = (type: string): boolean => ["list", "dict", "tuple", "set"].includes(type);

/** The inputs of a graph; of one that talks (`talks`) without the messages, which come from the conversation. */
export function askedOf(graph: Graph, talks: boolean): Asked[] {
  return graph.inputs
    .filter((input) => !talks || input !== "messages")
    .map((input) => {
      if (input === "messages") return { name: input, type: "message", description: "" };
      const variable = graph.state.find((one) => one.name === input);
      const type = (variable?.type ?? "str").replace(/\[.*$/, "");
      return { name: input, type, description: variable?.description ?? "" };
    });
}

/** A list as people write one: a line or a comma for each item. */
function itemsOf(text: string): unknown[] {
  const items = text.split(text.includes("\n") ? "\n" : /[,，、]/).map((item) => item.trim());
  return items.filter((item) => item !== "").map((item) => (/^-?\d+(\.\d+)?$/.test(item) ? parseExact(item) : item));
}

/** What was typed, as the type that the variable has. */
export function parsed(type: string, text: string): Parsed {
  if (type === "int")
    return /^-?\d+$/.test(text) ? { ok: true, value: parseExact(text) } : { ok: false, why: "run.wantsInteger" };
  if (type === "float") {
    const fits = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
    return fits ? { ok: true, value: Number(text) } : { ok: false, why: "run.wantsNumber" };
  }
  if (type === "message") return { ok: true, value: [{ role: "user", content: text }] };
  if (type === "bool") return { ok: true, value: text === "true" };
  if (isJson(type)) {
    try {
      return { ok: true, value: parseExact(text) };
    } catch {
      const json = type === "dict" || /^\s*[[{]/.test(text);
      return json ? { ok: false, why: "graphs.notJson" } : { ok: true, value: itemsOf(text) };
    }
  }
  return { ok: true, value: text };
}

/** The values of a run as what somebody would have typed. */
export function typedOf(inputs: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const said =
        name === "messages" && Array.isArray(value) ? (value.at(-1) as { content?: unknown })?.content : value;
      return [name, typeof said === "string" ? said : writeJson(fromPlain(said ?? null))];
    }),
  );
}
