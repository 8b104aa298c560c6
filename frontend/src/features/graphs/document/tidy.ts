import dagre from "@dagrejs/dagre";
import { conditionLabels } from "./condition";
import { COLUMN, type Graph, labelWidth, NODE_HEIGHT, NODE_WIDTH, type Place } from "./graph";
import { leaveRoom, notesAlong, type Placed } from "./room";

const LABEL_AT_MOST = labelWidth("a".repeat(26));

/** Places for all steps and notes: columns from left to right in the order of the edges, no step on a wire. */
export function tidyPlaces(graph: Graph, elseLabel: string): Placed[] {
  const drawing = new dagre.graphlib.Graph();
  drawing.setGraph({ rankdir: "LR", nodesep: 32, ranksep: COLUMN - NODE_WIDTH, marginx: 0, marginy: 0 });
  drawing.setDefaultEdgeLabel(() => ({}));
  for (const { name } of graph.nodes) drawing.setNode(name, { width: NODE_WIDTH, height: NODE_HEIGHT });
  if (graph.end) drawing.setNode("end", { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { source, targets, router } of graph.edges) {
    const labels = router === null ? null : conditionLabels(router, elseLabel);
    for (const target of targets) {
      if (source === target || !drawing.hasNode(source) || !drawing.hasNode(target)) continue;
      const width = Math.min(labelWidth(labels?.get(target) ?? ""), LABEL_AT_MOST);
      drawing.setEdge(source, target, labels ? { width, height: 20, labelpos: "c" } : {});
    }
  }
  dagre.layout(drawing);
  const placed = drawing.nodes().map((id: string) => {
    const { x, y } = drawing.node(id) as Place;
    return {
      id,
      x: Math.round((x - NODE_WIDTH / 2) / 8) * 8,
      y: Math.round((y - NODE_HEIGHT / 2) / 8) * 8,
    };
  });
  const roomy = leaveRoom(graph, placed);
  return [...roomy, ...notesAlong(graph, roomy)];
}
