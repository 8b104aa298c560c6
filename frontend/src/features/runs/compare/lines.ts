/** What two runs did, line beside line: the visits of graphs, the steps of tools. */
import { type JsonNode, tryParseJson } from "@/shared/json/exact";
import type { RunView, StepVisit } from "../fold";
import type { GraphFold } from "../graph/fold";
import { durationOf, enclosing, type GraphVisit } from "../graph/visits";
import { comparable, equal } from "./treeDiff";

export type PartName = "output" | "delta" | "error" | "question" | "request" | "answer" | "variables";

export interface Line {
  id: string;
  name: string;
  depth: number;
  state: string;
  tookMs: number | null;
  /** What is compared of it. */
  parts: Partial<Record<PartName, JsonNode>>;
  /** Tells what it followed from: the same in two runs that went the same way. */
  cause: string;
  /** Tells which step it is, whatever came before. */
  place: string;
}

export interface Row {
  left: Line | null;
  right: Line | null;
  same: boolean;
}

function nodeParts(visit: GraphVisit): Line["parts"] {
  const parts: Line["parts"] = {};
  if (visit.output !== undefined && visit.output !== null) parts.output = comparable(visit.output);
  else if (visit.text) parts.output = comparable(visit.text);
  if (Object.keys(visit.delta).length > 0) parts.delta = comparable(visit.delta);
  if (visit.error) parts.error = comparable(visit.error.message);
  if (visit.question) parts.question = comparable(visit.question);
  return parts;
}

/** The visits of a graph's run that count, in the order in which they came. */
export function graphLines(fold: GraphFold): Line[] {
  const causes = new Map<string, string>();
  const counts = new Map<string, number>();
  /** Long chains of causes as short names: the first is 0, and so on, the same way in both runs. */
  const shorter = (long: string): string => {
    const n = counts.get(long) ?? 0;
    counts.set(long, n + 1);
    return `${long}#${n}`;
  };
  return fold.order
    .filter((visit) => !visit.takenBack)
    .map((visit) => {
      const item = /\[\d+\](?=\/[^/]*$)/.exec(visit.id)?.[0] ?? "";
      const outer = enclosing(visit.id);
      const from = visit.parents.length > 0 ? visit.parents : outer === null ? [] : [outer];
      const before = from.map((id) => causes.get(id) ?? "?").join("+");
      const cause = digest(shorter(`${before}${item}>${visit.node}`));
      causes.set(visit.id, cause);
      return {
        id: visit.id,
        name: visit.node,
        depth: visit.path.length,
        state: visit.state,
        tookMs: durationOf(visit),
        parts: nodeParts(visit),
        cause,
        place: [...visit.path, visit.node].join("/"),
      };
    });
}

/** A short stand-in for a long text, 64 bits wide: causes of a loop's thousandth turn would else be long. */
function digest(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return `${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

const SAID_ANEW = "idempotency-key";

function stepParts({ request, response, variables }: StepVisit): Line["parts"] {
  const parts: Line["parts"] = {};
  if (request) {
    const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== SAID_ANEW);
    parts.request = comparable({ ...request, headers: Object.fromEntries(headers) });
  }
  if (response) {
    const { status, text } = response;
    const parsed = typeof text === "string" ? tryParseJson(text) : null;
    parts.answer = {
      kind: "object",
      entries: [
        ["status", comparable(status)],
        ["body", parsed ?? comparable(text)],
      ],
    };
  }
  if (variables.length > 0)
    parts.variables = comparable(Object.fromEntries(variables.map(({ name, value, text }) => [name, value ?? text])));
  return parts;
}

/** The steps of a tool's run. */
export function toolLines(view: RunView): Line[] {
  const turns = new Map<number, number>();
  return view.visits.map((visit) => {
    const turn = turns.get(visit.step) ?? 0;
    turns.set(visit.step, turn + 1);
    return {
      id: visit.visit,
      name: String(visit.step),
      depth: 0,
      state: visit.state,
      tookMs: visit.durationMs,
      parts: stepParts(visit),
      cause: `${visit.step}#${turn}`,
      place: String(visit.step),
    };
  });
}

function sameLine(left: Line, right: Line): boolean {
  if (left.state !== right.state) return false;
  const names = new Set([...Object.keys(left.parts), ...Object.keys(right.parts)]) as Set<PartName>;
  return [...names].every((name) => {
    const [a, b] = [left.parts[name], right.parts[name]];
    return a !== undefined && b !== undefined && equal(a, b);
  });
}

/** Which line of the right stands beside which of the left: by what led to it, else by step and turn. */
function pairs(left: readonly Line[], right: readonly Line[]): Map<Line, Line> {
  const found = new Map<Line, Line>();
  const byCause = new Map(right.map((line) => [line.cause, line]));
  const used = new Set<Line>();
  for (const line of left) {
    const other = byCause.get(line.cause);
    if (!other) continue;
    found.set(line, other);
    used.add(other);
  }
  const leftOver = new Map<string, Line[]>();
  for (const line of right) {
    if (used.has(line)) continue;
    const list = leftOver.get(line.place);
    if (list) list.push(line);
    else leftOver.set(line.place, [line]);
  }
  for (const line of left) {
    const other = found.has(line) ? undefined : leftOver.get(line.place)?.shift();
    if (other) found.set(line, other);
  }
  return found;
}

/** Two runs line beside line, in the order of the left one; what only the right one did stands where it came. */
export function align(left: readonly Line[], right: readonly Line[]): Row[] {
  const beside = pairs(left, right);
  const places = new Map(right.map((line, index) => [line, index]));
  const paired = new Set(beside.values());
  const rows: Row[] = [];
  let next = 0;
  const catchUp = (to: number) => {
    for (; next < to; next += 1) {
      const line = right[next]!;
      if (!paired.has(line)) rows.push({ left: null, right: line, same: false });
    }
  };
  for (const line of left) {
    const other = beside.get(line) ?? null;
    if (other) catchUp(places.get(other)!);
    rows.push({ left: line, right: other, same: other !== null && sameLine(line, other) });
  }
  catchUp(right.length);
  return rows;
}
