import type { NodeChange, OnNodeDrag } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { FlowNode } from "../canvas/flow";
import type { Graph } from "../document/graph";
import { movePlaces } from "../document/graphEdits";
import { useUiHandle } from "./context";
import type { Actions } from "./useActions";

type Moving = ReadonlyMap<string, { x: number; y: number }>;
const STILL: Moving = new Map();

/** Nodes while they are dragged and picked; the document hears of their places at the end. */
export function useMoving(drawn: FlowNode[], graph: Graph, actions: Actions) {
  const ui = useUiHandle();
  const [moving, setMoving] = useState<Moving>(STILL);
  const nodes = useMemo(
    () =>
      moving.size === 0
        ? drawn
        : drawn.map((node) => {
            const position = moving.get(node.id);
            return position ? { ...node, position } : node;
          }),
    [drawn, moving],
  );
  useEffect(() => setMoving(STILL), [graph]);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const moved = changes.filter((one) => one.type === "position" && one.position);
      if (moved.length)
        setMoving((now) => {
          const next = new Map(now);
          for (const one of moved) if (one.type === "position" && one.position) next.set(one.id, one.position);
          return next;
        });
      const picked = changes.filter((one) => one.type === "select");
      if (picked.length) {
        const next = new Set(ui.getState().selected);
        for (const one of picked)
          if (one.type === "select" && one.selected) next.add(one.id);
          else if (one.type === "select") next.delete(one.id);
        const { selected } = ui.getState();
        if (next.size !== selected.size || [...next].some((id) => !selected.has(id))) ui.getState().select(next);
      }
    },
    [ui],
  );
  const onNodeDragStop: OnNodeDrag<FlowNode> = (_, __, all) => {
    const places = all.map(({ id, position }) => ({ id, x: position.x, y: position.y }));
    if (!actions.edit(movePlaces(places))) setMoving(STILL);
  };
  return { nodes, onNodesChange, onNodeDragStop };
}
