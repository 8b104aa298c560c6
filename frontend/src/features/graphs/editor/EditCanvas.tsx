import {
  type Connection,
  type FinalConnectionState,
  type NodeChange,
  type OnNodeDrag,
  useReactFlow,
} from "@xyflow/react";
import { useNavigate } from "@tanstack/react-router";
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconLayoutDistributeVertical } from "@tabler/icons-react";
import { type DragEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CanvasContext } from "../canvas/CanvasContext";
import { CanvasFrame } from "../canvas/CanvasFrame";
import canvas from "../canvas/Canvas.module.css";
import { factOf } from "../canvas/kinds";
import { Drawing, type FlowNode, type Wire } from "../canvas/flow";
import { movePlaces, resizeNote } from "../document/graphEdits";
import { useCalls, useEditor, useGraph, useUi, useUiHandle } from "./context";
import { CanvasSearch } from "./CanvasSearch";
import classes from "./Editor.module.css";
import { NodeMenu } from "./NodeMenu";
import { DRAGGED } from "./Palette";
import { Picker } from "./Picker";
import { useStops } from "./run/useStops";
import { useWatchedLooks } from "./run/useWatchedLooks";
import type { Actions } from "./useActions";

/** Places while they are dragged; the document hears of them at the end. */
type Moving = ReadonlyMap<string, { x: number; y: number }>;
const STILL: Moving = new Map();
const GRID: [number, number] = [8, 8];

function useDrawn(wiring: string | null) {
  const { t } = useTranslation();
  const { graph, locked } = useGraph();
  const calls = useCalls();
  const problems = useEditor((state) => state.problems);
  const selected = useUi((state) => state.selected);
  const edge = useUi((state) => state.edge);
  const breakpoints = useStops().names;
  const run = useWatchedLooks();
  const drawing = useRef<Drawing | null>(null);
  drawing.current ??= new Drawing();
  const looks = useMemo(() => {
    const labels = new Map(calls.map(({ name, label }) => [name, label]));
    const found = new Map<string, string>();
    for (const { path, message } of problems) {
      const key = path.split(".").slice(0, 2).join(".");
      if (!found.has(key)) found.set(key, message);
    }
    const taken = new Set(
      wiring === null ? [] : graph.edges.filter(({ source }) => source === wiring).flatMap(({ targets }) => targets),
    );
    return {
      callLabel: (call: string) => labels.get(call) ?? call,
      problemOf: (path: string) => found.get(path),
      elseLabel: t("graphs.else"),
      breakpoints,
      ...run,
      selected: { nodes: selected, edge },
      editable: !locked,
      unfit: (name: string) => wiring !== null && (taken.has(name) || name === wiring),
    };
  }, [calls, problems, selected, edge, breakpoints, run, locked, wiring, graph, t]);
  return {
    graph,
    locked,
    nodes: useMemo(() => drawing.current!.nodesOf(graph, looks), [graph, looks]),
    wires: useMemo(() => drawing.current!.wiresOf(graph, looks), [graph, looks]),
  };
}

/** The canvas to write on. */
export function EditCanvas({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const flow = useReactFlow();
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const [wiring, setWiring] = useState<string | null>(null);
  const [moving, setMoving] = useState<Moving>(STILL);
  const drawn = useDrawn(wiring);
  const { graph, locked, wires } = drawn;
  const stops = useStops();
  const toggle = useRef(stops.toggle);
  useEffect(() => {
    toggle.current = stops.toggle;
  });
  const picker = useUi((state) => state.picker);
  const menu = useUi((state) => state.menu);
  const nodes = useMemo(
    () =>
      moving.size === 0
        ? drawn.nodes
        : drawn.nodes.map((node) => {
            const position = moving.get(node.id);
            return position ? { ...node, position } : node;
          }),
    [drawn.nodes, moving],
  );
  useEffect(() => setMoving(STILL), [graph]);

  const openPicker = useCallback(
    (client: { x: number; y: number }, more: { from?: string; what: "call" | "target" | "both"; place?: boolean }) => {
      const box = frame.current?.getBoundingClientRect();
      if (!box) return;
      const at = flow.screenToFlowPosition(client);
      ui.getState().set({
        picker: {
          left: client.x - box.left,
          top: client.y - box.top,
          at: more.place ? { x: at.x, y: at.y - 28 } : undefined,
          from: more.from,
          what: more.what,
        },
      });
    },
    [flow, ui],
  );
  const nearNode = useCallback((name: string) => {
    const box = frame.current?.querySelector(`[data-id="${CSS.escape(name)}"]`)?.getBoundingClientRect();
    const whole = frame.current!.getBoundingClientRect();
    return box ? { x: box.right + 12, y: box.top } : { x: whole.left + 80, y: whole.top + 80 };
  }, []);
  const canvasActions = useMemo(
    () => ({
      onPort: (name: string) => openPicker(nearNode(name), { from: name, what: "both" }),
      onToggleBreakpoint: (name: string) => toggle.current(name),
      onResizeNote: (index: number, size: { x: number; y: number; width: number; height: number }) =>
        actions.edit(resizeNote(index, size)),
    }),
    [openPicker, nearNode, actions],
  );

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
  const onConnect = ({ source, target }: Connection) => actions.connect(source, target);
  const onConnectEnd = (event: globalThis.MouseEvent | TouchEvent, state: FinalConnectionState) => {
    setWiring(null);
    if (state.isValid || state.toNode || state.fromHandle?.type !== "source" || !state.fromNode) return;
    const client = "changedTouches" in event ? event.changedTouches[0]! : event;
    openPicker({ x: client.clientX, y: client.clientY }, { from: state.fromNode.id, what: "both", place: true });
  };
  const onDrop = (event: DragEvent) => {
    const call = event.dataTransfer.getData(DRAGGED);
    if (!call) return;
    event.preventDefault();
    const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    actions.addCall(call, { x: at.x - 104, y: at.y - 28 });
  };
  const onDoubleClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    if (!locked && target.classList.contains("react-flow__pane"))
      openPicker({ x: event.clientX, y: event.clientY }, { what: "call", place: true });
  };
  return (
    <CanvasContext value={canvasActions}>
      <div
        ref={frame}
        className={`${canvas.frame} ${classes.canvas}`}
        role="region"
        aria-label={t("graphs.canvas")}
        data-canvas
        onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
        onDrop={onDrop}
        onDoubleClick={onDoubleClick}
      >
        <CanvasFrame
          nodes={nodes}
          edges={wires}
          onNodesChange={onNodesChange}
          onNodeDragStop={onNodeDragStop}
          onConnect={onConnect}
          onConnectStart={(_, { nodeId, handleType }) => setWiring(handleType === "source" ? nodeId : null)}
          onConnectEnd={onConnectEnd}
          isValidConnection={({ source, target }) =>
            !graph.edges.some((edge) => edge.source === source && edge.targets.includes(target))
          }
          onEdgeClick={(_, wire: Wire) => ui.getState().selectEdge(wire.data!.edge.index)}
          onPaneClick={() => ui.getState().select([])}
          onNodeDoubleClick={(_, node) => {
            const inner = node.type === "step" && node.data.node.call === "Graph" ? factOf(node.data.node) : "";
            if (inner) void navigate({ to: "/graphs/$name", params: { name: inner } });
          }}
          onNodeContextMenu={(event, node) => {
            if (node.type !== "step" || locked) return;
            event.preventDefault();
            const box = frame.current!.getBoundingClientRect();
            if (!ui.getState().selected.has(node.id)) ui.getState().select([node.id]);
            ui.getState().set({
              menu: { left: event.clientX - box.left, top: event.clientY - box.top, name: node.id },
            });
          }}
          nodesDraggable={!locked}
          nodesConnectable={!locked}
          edgesFocusable
          zoomOnDoubleClick={false}
          snapToGrid
          snapGrid={GRID}
          connectionRadius={32}
          nodeDragThreshold={2}
          extra={
            !locked && (
              <Tooltip label={t("graphs.tidy")}>
                <ActionIcon variant="subtle" color="gray" aria-label={t("graphs.tidy")} onClick={actions.tidy}>
                  <IconLayoutDistributeVertical size={16} />
                </ActionIcon>
              </Tooltip>
            )
          }
        />
        {graph.nodes.length === 0 && !locked && (
          <div className={classes.emptyCanvas}>
            <button
              type="button"
              onClick={(event) => {
                const box = event.currentTarget.getBoundingClientRect();
                openPicker({ x: box.left, y: box.bottom + 8 }, { what: "call" });
              }}
            >
              {t("graphs.addFirst")} <kbd>/</kbd>
            </button>
          </div>
        )}
        <CanvasSearch actions={actions} />
        {picker && (
          <Picker
            key={`${picker.left} ${picker.top} ${picker.what}`}
            picker={picker}
            actions={actions}
            bounds={frame.current?.getBoundingClientRect() ?? null}
          />
        )}
        {menu && <NodeMenu key={`${menu.left} ${menu.top}`} menu={menu} actions={actions} />}
      </div>
    </CanvasContext>
  );
}
