import { type Condition, conditionText, targetsOf } from "../../document/condition";
import type { GraphEdge } from "../../document/graph";
import { makeCondition, overlaid } from "../../document/graphEdits";
import { useEditor, useGraph, useUiHandle } from "../context";

/** Writes an edge's condition; wires that would lead to the same steps always are taken out with it. */
export function useCondition(edge: GraphEdge): (condition: Condition, key?: string) => boolean {
  const edit = useEditor((state) => state.edit);
  const ui = useUiHandle();
  const { graph } = useGraph();
  return (condition, key = "") => {
    const targets = targetsOf(condition);
    const before = overlaid(graph, edge.index, targets).filter((index) => index < edge.index).length;
    const written = edit(
      makeCondition(edge.index, conditionText(condition), targets),
      key && `edges.${edge.index}.${key}`,
    );
    if (written && before > 0) ui.getState().selectEdge(edge.index - before);
    return written;
  };
}
