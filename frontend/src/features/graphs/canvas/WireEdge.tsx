import { BaseEdge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import { labelWidth } from "../document/graph";
import { BACK, labelPlace, leadsBack } from "../document/room";
import classes from "./Canvas.module.css";
import type { Wire } from "./flow";

/** A way that leads back is drawn below both ends, so that it crosses no step. */
function backPath(sx: number, sy: number, tx: number, ty: number): [string, number, number] {
  const low = Math.max(sy, ty) + BACK.below;
  const right = sx + BACK.beside - 12;
  const left = tx - BACK.beside + 12;
  const path = `M${sx},${sy} C${right + 12},${sy} ${right + 12},${low} ${right - 12},${low} L${left + 12},${low} C${left - 12},${low} ${left - 12},${ty} ${tx},${ty}`;
  return [path, (sx + tx) / 2, low];
}

function WireView(props: EdgeProps<Wire>) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data, selected, markerEnd } = props;
  const back = leadsBack(sourceX, targetX);
  const [path, curveX, curveY] = back
    ? backPath(sourceX, sourceY, targetX, targetY)
    : getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, curvature: 0.35 });
  const label = data?.label ?? "";
  const shown = label.length > 26 ? `${label.slice(0, 25)}…` : label;
  const { x, y } = labelPlace({ x: curveX, y: curveY }, { sourceX, sourceY, targetX, targetY }, labelWidth(shown));
  return (
    <g
      className={classes.wire}
      data-state={data?.state}
      data-selected={selected || undefined}
      data-problem={data?.problem ? true : undefined}
      data-conditional={data?.edge.router != null || data?.edge.filter ? true : undefined}
      data-testid={`wire-${id}`}
    >
      <BaseEdge id={id} path={path} interactionWidth={20} markerEnd={markerEnd} />
      {shown && (
        <g className={classes.wireLabel} transform={`translate(${x} ${y})`}>
          <rect x={-labelWidth(shown) / 2} y={-10} width={labelWidth(shown)} height={20} rx={6} />
          <text textAnchor="middle" dominantBaseline="central">
            {shown}
          </text>
          <title>{label}</title>
        </g>
      )}
    </g>
  );
}

export const WireEdge = memo(WireView);
