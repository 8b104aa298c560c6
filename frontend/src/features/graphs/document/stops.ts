/** Breakpoints follow the names in the graph, whoever changes them: a form, the text, or undo. */
import type { Breakpoint } from "@/features/runs/graph/breakpoints";
import { renamedExpression } from "./expressions";
import type { Graph } from "./graph";

type Names = Pick<Graph, "nodes" | "state">;

/** The one name that is another one now while everything around it stayed. */
function renamedIn(before: readonly string[], after: readonly string[]): { from: string; to: string } | null {
  if (before.length !== after.length) return null;
  const at = before.flatMap((name, index) => (name === after[index] ? [] : [index]));
  const [only] = at;
  if (at.length !== 1 || only === undefined) return null;
  const [from, to] = [before[only]!, after[only]!];
  return from && to && !before.includes(to) && !after.includes(from) ? { from, to } : null;
}

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

/** The breakpoints after a change of the graph; the same list when none of them says what was renamed. */
export function followedStops(list: readonly Breakpoint[], before: Names, after: Names): readonly Breakpoint[] {
  const step = renamedIn(names(before.nodes), names(after.nodes));
  const variable = renamedIn(names(before.state), names(after.state));
  if (!step && !variable) return list;
  const followed = list.map((one): Breakpoint => {
    const node = step && one.node === step.from ? step.to : one.node;
    let { condition } = one;
    if (condition && step) condition = renamedExpression(condition, { ...step, roots: ["steps"] });
    if (condition && variable) condition = renamedExpression(condition, { ...variable, roots: ["state", "input"] });
    return node === one.node && condition === one.condition ? one : { ...one, node, condition };
  });
  return followed.every((one, index) => one === list[index]) ? list : followed;
}
