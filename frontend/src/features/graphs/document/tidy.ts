import dagre from "@dagrejs/dagre";
import { COLUMN, type Graph, NODE_HEIGHT, NODE_WIDTH, type Place } from "./graph";

/** Places for all steps: columns from left to right in the order of the edges. */
export function tidyPlaces(graph: Graph): (Place & { id: string })[] {
  const drawing = new dagre.graphlib.Graph();
  drawing.setGraph({ rankdir: "LR", nodesep: 32, ranksep: COLUMN - NODE_WIDTH, marginx: 0, marginy: 0 });
  drawing.setDefaultEdgeLabel(() => ({}));
  for (const { name } of graph.nodes) drawing.setNode(name, { width: NODE_WIDTH, height: NODE_HEIGHT });
  if (graph.end) drawing.setNode("end", { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { source, targets } of graph.edges)
    for (const target of targets)
      if (source !== target && drawing.hasNode(source) && drawing.hasNode(target)) drawing.setEdge(source, target);
  dagre.layout(drawing);
  return drawing.nodes().map((id: string) => {
    const { x, y } = drawing.node(id) as Place;
    return {
      id,
      x: Math.round((x - NODE_WIDTH / 2) / 8) * 8,
      y: Math.round((y - NODE_HEIGHT / 2) / 8) * 8,
    };
  });
}
