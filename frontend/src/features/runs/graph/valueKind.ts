/** How a value that somebody changes is written. */
import { ExactNumber } from "@/shared/json/exact";
import { isCut } from "../fold";
import type { GraphFold, GraphVisit } from "./fold";

export type ValueKind = "text" | "number" | "bool" | "list" | "map" | "json";

export function kindOf(value: unknown): ValueKind {
  if (typeof value === "string") return "text";
  if (typeof value === "number" || value instanceof ExactNumber) return "number";
  if (typeof value === "boolean") return "bool";
  if (Array.isArray(value)) return "list";
  return value !== null && typeof value === "object" ? "map" : "json";
}

/** The visit of the outer graph that wrote a variable last, and whether all of what it wrote is here to be changed. */
export function writerOf(fold: GraphFold, name: string): { visit: GraphVisit; whole: boolean } | null {
  const visit = fold.order.findLast(
    (one) => one.path.length === 0 && one.state === "finished" && !one.takenBack && Object.hasOwn(one.delta, name),
  );
  return visit ? { visit, whole: !isCut(visit.delta[name]) } : null;
}
