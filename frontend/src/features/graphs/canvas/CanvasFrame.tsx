import "@xyflow/react/dist/style.css";
import {
  Background,
  BackgroundVariant,
  MiniMap,
  Panel,
  ReactFlow,
  type ReactFlowProps,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { ActionIcon, Tooltip, useComputedColorScheme } from "@mantine/core";
import { IconMap, IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Canvas.module.css";
import type { FlowNode, Wire } from "./flow";
import { EndNode, NoteNode } from "./OtherNodes";
import { StepNode } from "./StepNode";
import { WireEdge } from "./WireEdge";

const NODE_TYPES = { step: StepNode, note: NoteNode, end: EndNode };
const EDGE_TYPES = { wire: WireEdge };
/** How much of the canvas's lower edge its buttons take. */
export const TOOLS_HEIGHT = 56;
export const FIT = {
  padding: { x: "32px", top: "32px", bottom: `${TOOLS_HEIGHT}px` },
  maxZoom: 1,
  minZoom: 0.05,
  duration: 180,
} as const;
const MAP_FROM = 20;
const far = ({ transform }: { transform: [number, number, number] }) => transform[2] < 0.4;

function colourOf(node: FlowNode): string {
  if (node.type !== "step") return "transparent";
  const status = node.data.state?.status;
  if (status === "running") return "var(--wb-accent)";
  if (status === "finished") return "var(--wb-green)";
  if (status === "failed" || node.data.problem) return "var(--wb-red)";
  if (status === "waiting" || status === "paused") return "var(--wb-amber)";
  return "var(--wb-control)";
}

function Tools({ extra, map, onMap }: { extra?: ReactNode; map: boolean; onMap: () => void }) {
  const { t } = useTranslation();
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const buttons = [
    { label: t("graphs.zoomIn"), icon: IconPlus, act: () => void zoomIn({ duration: 120 }) },
    { label: t("graphs.zoomOut"), icon: IconMinus, act: () => void zoomOut({ duration: 120 }) },
    { label: `${t("graphs.fit")} (1)`, icon: IconMaximize, act: () => void fitView(FIT) },
  ];
  return (
    <Panel position="bottom-left" className={classes.tools}>
      {buttons.map(({ label, icon: Icon, act }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={act}>
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
      {extra}
      <Tooltip label={t("graphs.minimap")}>
        <ActionIcon variant="subtle" color="gray" aria-label={t("graphs.minimap")} aria-pressed={map} onClick={onMap}>
          <IconMap size={16} />
        </ActionIcon>
      </Tooltip>
    </Panel>
  );
}

interface Props extends ReactFlowProps<FlowNode, Wire> {
  /** More buttons beside zoom and fit. */
  extra?: ReactNode;
}

/** The canvas with its background, its tools and the map; who uses it says what can be done on it. */
export function CanvasFrame({ extra, children, ...props }: Props) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme();
  const isFar = useStore(far);
  const [wanted, setWanted] = useState(() => localStorage.getItem("workbench.minimap"));
  // A map of what fits on the screen would cover more than it shows.
  const map = wanted === null ? props.nodes!.length > MAP_FROM : wanted === "yes";
  const words = useMemo(
    () => ({
      "node.a11yDescription.default": t("graphs.a11y.node"),
      "node.a11yDescription.keyboardDisabled": t("graphs.a11y.node"),
      "edge.a11yDescription.default": t("graphs.a11y.edge"),
      "minimap.ariaLabel": t("graphs.minimap"),
      "handle.ariaLabel": t("graphs.port"),
    }),
    [t],
  );
  const toggle = () => {
    localStorage.setItem("workbench.minimap", map ? "no" : "yes");
    setWanted(map ? "no" : "yes");
  };
  return (
    <ReactFlow<FlowNode, Wire>
      className={classes.flow}
      data-far={isFar || undefined}
      colorMode={scheme}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      minZoom={0.05}
      maxZoom={2}
      onlyRenderVisibleElements
      disableKeyboardA11y
      ariaLabelConfig={words}
      proOptions={{ hideAttribution: true }}
      fitView
      fitViewOptions={{ ...FIT, duration: 0 }}
      selectNodesOnDrag={false}
      deleteKeyCode={null}
      multiSelectionKeyCode={["Shift", "Control", "Meta"]}
      {...props}
    >
      {!isFar && <Background variant={BackgroundVariant.Dots} gap={16} size={1} color="var(--wb-dots)" />}
      <Tools extra={extra} map={map} onMap={toggle} />
      {map && (
        <MiniMap<FlowNode>
          pannable
          zoomable
          position="bottom-right"
          className={classes.minimap}
          nodeColor={colourOf}
          nodeBorderRadius={6}
          style={{ width: 160, height: 104 }}
        />
      )}
      {children}
    </ReactFlow>
  );
}
