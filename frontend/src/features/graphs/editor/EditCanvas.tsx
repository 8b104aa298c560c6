import { type Connection, type FinalConnectionState, useReactFlow } from "@xyflow/react";
import { useNavigate } from "@tanstack/react-router";
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconLayoutDistributeVertical } from "@tabler/icons-react";
import { type DragEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CanvasContext } from "../canvas/CanvasContext";
import { CanvasFrame } from "../canvas/CanvasFrame";
import canvas from "../canvas/Canvas.module.css";
import { factOf } from "../canvas/kinds";
import type { Wire } from "../canvas/flow";
import { resizeNote } from "../document/graphEdits";
import { useUi, useUiHandle } from "./context";
import { CanvasSearch } from "./CanvasSearch";
import classes from "./Editor.module.css";
import { NodeMenu } from "./NodeMenu";
import { DRAGGED } from "./Palette";
import { Picker } from "./Picker";
import { useStops } from "./run/useStops";
import type { Actions } from "./useActions";
import { useDrawn } from "./useDrawn";
import { useKeptFocus } from "./useKeptFocus";
import { useMoving } from "./useMoving";

const GRID: [number, number] = [8, 8];

/** The canvas to write on. */
export function EditCanvas({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const flow = useReactFlow();
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const [wiring, setWiring] = useState<string | null>(null);
  const drawn = useDrawn(wiring);
  const { graph, locked, wires } = drawn;
  const { nodes, onNodesChange, onNodeDragStop } = useMoving(drawn.nodes, graph, actions);
  const stops = useStops();
  const toggle = useRef(stops.toggle);
  useEffect(() => {
    toggle.current = stops.toggle;
  });
  useKeptFocus(frame, graph);
  const picker = useUi((state) => state.picker);
  const menu = useUi((state) => state.menu);
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

  const onConnect = ({ source, target }: Connection) => actions.connect(source, target);
  const onConnectEnd = (event: globalThis.MouseEvent | TouchEvent, state: FinalConnectionState) => {
    setWiring(null);
    if (state.isValid || state.toNode || state.fromHandle?.type !== "source" || !state.fromNode) return;
    const client = "changedTouches" in event ? event.changedTouches[0]! : event;
    openPicker({ x: client.clientX, y: client.clientY }, { from: state.fromNode.id, what: "both", place: true });
  };
  const onDrop = (event: DragEvent) => {
    const dragged = event.dataTransfer.getData(DRAGGED);
    if (!dragged) return;
    event.preventDefault();
    const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    actions.addCall(JSON.parse(dragged) as { call: string; of?: string }, { x: at.x - 104, y: at.y - 28 });
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
        id="canvas"
        tabIndex={-1}
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
