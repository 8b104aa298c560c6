import { type Condition, conditionText, targetsOf } from "../../document/condition";
import type { GraphEdge } from "../../document/graph";
import { type GraphEdit, makeCondition, overlaid, together } from "../../document/graphEdits";
import { useEditor, useGraph, useUiHandle } from "../context";

/**
 * Writes an edge's condition; wires that would lead to the same steps always are taken out with it. What is done
 * together with it is undone together with it.
 */
export function useCondition(edge: GraphEdge): (condition: Condition, key?: string, also?: GraphEdit) => boolean {
  const edit = useEditor((state) => state.edit);
  const ui = useUiHandle();
  const { graph } = useGraph();
  return (condition, key = "", also) => {
    const targets = targetsOf(condition);
    const before = overlaid(graph, edge.index, targets).filter((index) => index < edge.index).length;
    const made = makeCondition(edge.index, conditionText(condition), targets);
    const written = edit(also ? together(also, made) : made, key && `edges.${edge.index}.${key}`);
    if (written && before > 0) ui.getState().selectEdge(edge.index - before);
    return written;
  };
}
