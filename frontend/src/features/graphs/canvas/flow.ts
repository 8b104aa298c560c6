/** A graph as React Flow takes it. */
import { type Edge, type Node, Position } from "@xyflow/react";
import { conditionLabels } from "../document/condition";
import { titleOf } from "./kinds";
import { type Graph, type GraphEdge, type GraphNode, type GraphNote, NODE_HEIGHT, NODE_WIDTH } from "../document/graph";

/** What a run says about a step. */
export interface NodeState {
  status: "queued" | "running" | "waiting" | "paused" | "stopping" | "finished" | "failed" | "skipped" | "cancelled";
  /** How often it was visited. */
  visits?: number;
  /** When the visit began, in milliseconds; the node counts from there while it runs. */
  startedAt?: number | null;
  durationMs?: number | null;
  /** Text as it streams, or a preview of what came out. */
  text?: string;
  error?: string;
}

export type EdgeState = "running" | "taken" | "skipped";

export type StepData = {
  node: GraphNode;
  entry: boolean;
  call: string;
  state?: NodeState;
  breakpoint?: boolean;
  problem?: string;
  warning?: string;
  editable: boolean;
  /** While someone draws a wire: whether it can't end here. */
  unfit?: boolean;
};
export type NoteData = { note: GraphNote; editable: boolean };
export type EndData = Record<string, never>;
export type WireData = { edge: GraphEdge; target: string; label: string; state?: EdgeState; problem?: string };

export type StepNode = Node<StepData, "step">;
export type NoteNode = Node<NoteData, "note">;
export type EndNode = Node<EndData, "end">;
export type FlowNode = StepNode | NoteNode | EndNode;
export type Wire = Edge<WireData, "wire">;

export const noteId = (index: number): string => `note ${index}`;
export const END = "end";

export interface Looks {
  callLabel: (call: string) => string;
  nodeState?: (name: string) => NodeState | undefined;
  edgeState?: (source: string, target: string) => EdgeState | undefined;
  problemOf?: (path: string) => string | undefined;
  warningOf?: (path: string) => string | undefined;
  breakpoints?: ReadonlySet<string>;
  elseLabel: string;
  selected: { nodes: ReadonlySet<string>; edge: number | null };
  editable: boolean;
  unfit?: (name: string) => boolean;
}

const PORT = { width: 12, height: 12, y: NODE_HEIGHT / 2 - 6 };
/** Where the ports are, so that wires need no measuring. */
const HANDLES: NonNullable<StepNode["handles"]> = [
  { ...PORT, type: "target", position: Position.Left, x: -6 },
  { ...PORT, type: "source", position: Position.Right, x: NODE_WIDTH - 6 },
];
const STEP_SIZE = { width: NODE_WIDTH, height: NODE_HEIGHT };

function same(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

/** Keeps what didn't change, so that only what did is drawn again. */
export class Drawing {
  private readonly nodes = new Map<string, FlowNode>();
  private readonly wires = new Map<string, Wire>();

  private readonly read = new Map<string, { json: string; value: unknown }>();

  /** What was read before, when it means the same. */
  private stable<T>(id: string, value: T): T {
    const json = JSON.stringify(value);
    const old = this.read.get(id);
    if (old?.json === json) return old.value as T;
    this.read.set(id, { json, value });
    return value;
  }

  private kept<T extends FlowNode | Wire>(known: Map<string, T>, made: T): T {
    const old = known.get(made.id);
    const position = (one: T) => ("position" in one ? one.position : { x: 0, y: 0 });
    if (
      old &&
      old.selected === made.selected &&
      same(old.data as Record<string, unknown>, made.data as Record<string, unknown>) &&
      position(old).x === position(made).x &&
      position(old).y === position(made).y
    )
      return old;
    known.set(made.id, made);
    return made;
  }

  nodesOf(graph: Graph, looks: Looks): FlowNode[] {
    const { selected, editable } = looks;
    const steps = graph.nodes.map((node) =>
      this.kept<FlowNode>(this.nodes, {
        id: node.name,
        type: "step",
        position: { x: node.x, y: node.y },
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
        ariaLabel: `${titleOf(node)}, ${looks.callLabel(node.call)}`,
        measured: STEP_SIZE,
        handles: HANDLES,
        selected: selected.nodes.has(node.name),
        data: {
          node: this.stable(node.name, node),
          entry: graph.entry === node.name,
          call: looks.callLabel(node.call),
          state: looks.nodeState?.(node.name),
          breakpoint: looks.breakpoints?.has(node.name),
          problem: looks.problemOf?.(`nodes.${node.name}`),
          warning: looks.warningOf?.(`nodes.${node.name}`),
          editable,
          unfit: looks.unfit?.(node.name),
        },
      }),
    );
    const notes = graph.notes.map((note) =>
      this.kept<FlowNode>(this.nodes, {
        id: noteId(note.index),
        type: "note",
        position: { x: note.x, y: note.y },
        width: note.width,
        height: note.height,
        measured: { width: note.width, height: note.height },
        zIndex: -1,
        selected: selected.nodes.has(noteId(note.index)),
        data: { note: this.stable(noteId(note.index), note), editable },
      }),
    );
    const end = graph.end && { x: graph.end.x, y: graph.end.y };
    const ends: FlowNode[] = end
      ? [
          this.kept<FlowNode>(this.nodes, {
            id: END,
            type: "end",
            position: end,
            width: 72,
            height: NODE_HEIGHT,
            measured: { width: 72, height: NODE_HEIGHT },
            handles: [HANDLES[0]!],
            selected: selected.nodes.has(END),
            data: {},
          }),
        ]
      : [];
    return [...notes, ...steps, ...ends];
  }

  wiresOf(graph: Graph, looks: Looks): Wire[] {
    const known = new Set([...graph.nodes.map(({ name }) => name), END]);
    return graph.edges.flatMap((edge) => {
      if (!known.has(edge.source)) return [];
      const kept = this.stable(`edge ${edge.index}`, edge);
      const labels = edge.router === null ? null : conditionLabels(edge.router, looks.elseLabel);
      return edge.targets
        .filter((target) => known.has(target))
        .map((target) =>
          this.kept<Wire>(this.wires, {
            id: `${edge.index} ${target}`,
            type: "wire",
            ariaLabel: `${edge.source} → ${target}`,
            source: edge.source,
            target,
            selected: looks.selected.edge === edge.index,
            data: {
              edge: kept,
              target,
              label: labels?.get(target) ?? "",
              state: looks.edgeState?.(edge.source, target),
              problem: looks.problemOf?.(`edges.${edge.index}`),
            },
          }),
        );
    });
  }
}
