import { type EdgeMouseHandler, type NodeMouseHandler, ReactFlowProvider } from "@xyflow/react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { definitionText, type Graph, readGraph } from "../document/graph";
import { callsQuery } from "../requests/callList";
import { CanvasContext } from "./CanvasContext";
import { CanvasFrame } from "./CanvasFrame";
import classes from "./Canvas.module.css";
import { Drawing, type EdgeState, type FlowNode, type NodeState, type Wire } from "./flow";

interface Props {
  /** The definition as text or object. */
  definition: unknown;
  /** What a run says about a step. Give the same object while nothing about the step changed. */
  nodeState: (name: string) => NodeState | undefined;
  edgeState: (source: string, target: string) => EdgeState | undefined;
  selected: string | null;
  onSelect: (name: string | null) => void;
  onSelectEdge: (source: string, target: string) => void;
  breakpoints: ReadonlySet<string>;
  onToggleBreakpoint?: (name: string) => void;
  /** What the canvas is called for those who can't see it. */
  label: string;
}

const EMPTY: Graph = {
  name: "",
  description: "",
  state: [],
  inputs: [],
  entry: "",
  nodes: [],
  edges: [],
  notes: [],
  limits: { max_turn: "", timeout: "", run_timeout: "" },
  end: null,
};

/** A graph to look at, with what a run says about its steps and edges. */
export function GraphCanvas(props: Props) {
  const { definition, nodeState, edgeState, selected, onSelect, onSelectEdge, breakpoints, label } = props;
  const { onToggleBreakpoint } = props;
  const { t, i18n } = useTranslation();
  const calls = useQuery(callsQuery(i18n.language)).data;
  const drawing = useRef<Drawing | null>(null);
  drawing.current ??= new Drawing();
  const graph = useMemo(() => readGraph(definitionText(definition)).graph ?? EMPTY, [definition]);
  const looks = useMemo(
    () => ({
      callLabel: (name: string) => calls?.find((call) => call.name === name)?.label ?? name,
      nodeState,
      edgeState,
      breakpoints,
      elseLabel: t("graphs.else"),
      selected: { nodes: new Set(selected ? [selected] : []), edge: null },
      editable: false,
    }),
    [calls, nodeState, edgeState, breakpoints, selected, t],
  );
  const nodes = drawing.current.nodesOf(graph, looks);
  const wires = drawing.current.wiresOf(graph, looks);
  const toggle = useRef(onToggleBreakpoint);
  useEffect(() => {
    toggle.current = onToggleBreakpoint;
  });
  const canToggle = onToggleBreakpoint !== undefined;
  const actions = useMemo(
    () => (canToggle ? { onToggleBreakpoint: (name: string) => toggle.current?.(name) } : {}),
    [canToggle],
  );
  const onNodeClick: NodeMouseHandler<FlowNode> = (_, node) => node.type === "step" && onSelect(node.id);
  const onEdgeClick: EdgeMouseHandler<Wire> = (_, wire) => onSelectEdge(wire.source, wire.target);
  return (
    <CanvasContext value={actions}>
      <div
        className={classes.frame}
        role="region"
        aria-label={label}
        onKeyDown={(event) => {
          const id = (event.target as HTMLElement).closest<HTMLElement>(".react-flow__node")?.dataset.id;
          const own = (event.target as HTMLElement).classList.contains("react-flow__node");
          if (id && own && (event.key === "Enter" || event.key === " ")) onSelect(id);
        }}
      >
        <ReactFlowProvider>
          <CanvasFrame
            nodes={nodes}
            edges={wires}
            nodesDraggable={false}
            nodesConnectable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            onNodeClick={onNodeClick}
            onEdgeClick={onEdgeClick}
            onPaneClick={() => onSelect(null)}
          />
        </ReactFlowProvider>
      </div>
    </CanvasContext>
  );
}
