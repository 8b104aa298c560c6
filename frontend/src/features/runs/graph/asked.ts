/** What the journal tells of the messages that a step sent to models, and of what a step was called with. */
import { fromPlain, writeJson } from "@/shared/json/exact";
import { type CutValue, isCut } from "../fold";

export interface AskedMessage {
  role: string;
  /** The tool whose answer it is. */
  tool: string | null;
  content: string | CutValue;
  /** Tools that the model called, with the arguments as it wrote them. */
  calls: { name: string; arguments: string | CutValue }[];
}

export interface Conversation {
  provider: string;
  model: string;
  /** Tools that the model might call. */
  offered: string[];
  /** How often the model was asked, each time with a bit more of it. */
  requests: number;
  messages: AskedMessage[];
}

type Told = Record<string, unknown>;

const isMap = (value: unknown): value is Told => typeof value === "object" && value !== null && !Array.isArray(value);

const listOf = (value: unknown): Told[] => (Array.isArray(value) ? value.filter(isMap) : []);

/** Content as text: that of some models' messages has parts, which are shown as they were sent. */
function textOf(content: unknown): string | CutValue {
  if (typeof content === "string" || isCut(content)) return content;
  return content === null || content === undefined ? "" : writeJson(fromPlain(content), "  ");
}

function messagesOf(told: unknown): AskedMessage[] {
  const names = new Map<string, string>();
  return listOf(told).map((one) => {
    const calls = listOf(one.tool_calls).map((call) => {
      const made = isMap(call.function) ? call.function : {};
      const name = String(made.name ?? "");
      names.set(String(call.id), name);
      return { name, arguments: textOf(made.arguments) };
    });
    const role = String(one.role ?? "");
    const tool = role === "tool" ? (names.get(String(one.tool_call_id)) ?? "") : null;
    return { role, tool, content: textOf(one.content), calls };
  });
}

/** The conversations that a step had with models, in order. */
export function conversationsOf(asked: unknown): Conversation[] {
  return listOf(asked).map((one) => ({
    provider: String(one.provider ?? ""),
    model: String(one.model ?? ""),
    offered: Array.isArray(one.tools) ? one.tools.map(String) : [],
    requests: Array.isArray(one.sent) ? one.sent.length : 1,
    messages: messagesOf(one.messages),
  }));
}

export interface CalledWith {
  tool: string | null;
  graph: string | null;
  /** The list of which each item is taken; undefined where it is no step of items. */
  items: unknown;
  values: [string, unknown][];
  /** What could not be told apart since it came cut off as a whole. */
  cut: CutValue[];
}

export function calledWith(input: unknown): CalledWith | null {
  if (isCut(input)) return { tool: null, graph: null, items: undefined, values: [], cut: [input] };
  if (!isMap(input)) return null;
  const given = input.params ?? input.inputs;
  const name = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    tool: name(input.tool),
    graph: name(input.graph),
    items: input.items,
    values: isMap(given) && !isCut(given) ? Object.entries(given) : [],
    cut: isCut(given) ? [given] : [],
  };
}

const FOLDED = 360;
const LINES = 8;

/** The beginning of a long text; null where the text is short enough to be shown whole. */
export function beginningOf(text: string): string | null {
  const lines = text.split("\n", LINES + 1);
  const begin = lines.slice(0, LINES).join("\n").slice(0, FOLDED);
  // A few characters more are no reason to fold.
  return text.length - begin.length > 40 ? begin : null;
}
