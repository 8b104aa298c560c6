/** What was said in a conversation, as the journal of a run tells it: long texts and long lists come cut off. */
import { fromPlain, parseExact, writeJson } from "@/shared/json/exact";
import { type CutValue, isCut } from "../fold";

export interface Message {
  role: string;
  /** Text, or parts as the APIs of models define them; what came cut off is a cut value. */
  content: unknown;
  name?: unknown;
  tool_calls?: unknown;
  tool_call_id?: unknown;
}

/** What a message keeps for the next turn; its number and its step belong to the run that it came from. */
const MORE = ["name", "tool_calls", "tool_call_id"] as const;

type Read = (cut: CutValue) => Promise<string>;

/** A value with the whole in place of everything that came cut off. */
export async function whole(value: unknown, read: Read): Promise<unknown> {
  if (isCut(value)) {
    const text = await read(value);
    return "json" in value ? whole(parseExact(text), read) : text;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await whole(item, read));
    return items;
  }
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const entries: [string, unknown][] = [];
    for (const [name, item] of Object.entries(value)) entries.push([name, await whole(item, read)]);
    return Object.fromEntries(entries);
  }
  return value;
}

/** Whether messages are missing because their list came cut off. */
export const hasGaps = (said: unknown): boolean => isCut(said) || (Array.isArray(said) && said.some(isCut));

/** Puts the messages in where lists of them came cut off; their texts stay as they are. */
export async function withoutGaps(said: unknown, read: Read): Promise<unknown[]> {
  const messages: unknown[] = [];
  for (const item of isCut(said) ? [said] : Array.isArray(said) ? said : []) {
    if (!isCut(item)) messages.push(item);
    else messages.push(...[parseExact(await read(item))].flat());
  }
  return messages;
}

/** The messages of a list, each with what the next turn needs of it. */
export function messagesIn(said: unknown): Message[] {
  const messages: Message[] = [];
  for (const item of Array.isArray(said) ? (said as unknown[]) : []) {
    if (typeof item !== "object" || item === null || isCut(item) || !("content" in item)) continue;
    const given = item as Record<string, unknown>;
    const message: Message = { role: String(given.role ?? "user"), content: given.content ?? "" };
    for (const name of MORE) if (given[name] !== undefined && given[name] !== null) message[name] = given[name];
    messages.push(message);
  }
  return messages;
}

const isTextPart = (part: unknown): part is { text: string } =>
  typeof part === "object" && part !== null && "text" in part && typeof part.text === "string";

/** A message's content as text: as it is, its parts one after the other, or as JSON. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content) && content.every(isTextPart)) return content.map(({ text }) => text).join("\n");
  return writeJson(fromPlain(content), "  ");
}
