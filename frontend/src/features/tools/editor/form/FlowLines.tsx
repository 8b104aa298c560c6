import { type RefObject, useLayoutEffect, useState } from "react";
import type { StepForm } from "../../document/tool";
import classes from "./Form.module.css";

export interface FlowEdge {
  from: number;
  to: number;
  kind: "next" | "jump";
}

/** The ways through the chain that don't just go to the step below. */
export function edgesOf(steps: readonly StepForm[]): FlowEdge[] {
  const target = (text: string) => (/^\d+$/.test(text) && Number(text) < steps.length ? Number(text) : null);
  const edges = steps.flatMap((step, from): FlowEdge[] => {
    const next = step.next.kind === "absent" || step.result.kind !== "absent" ? null : target(step.next.text);
    const jumps = step.vars.map(({ missing }) => (missing.kind === "jump" ? target(missing.target.text) : null));
    return [
      ...(next !== null && next !== from + 1 ? [{ from, to: next, kind: "next" as const }] : []),
      ...[...new Set(jumps)].filter((to) => to !== null).map((to) => ({ from, to, kind: "jump" as const })),
    ];
  });
  return edges.filter(({ from, to }) => from !== to).slice(0, 24);
}

/** Gives each edge a lane, so that no two lie on each other. */
export function lanesOf(edges: readonly FlowEdge[]): number[] {
  const taken: [number, number][][] = [];
  return edges.map(({ from, to }) => {
    const span: [number, number] = [Math.min(from, to), Math.max(from, to)];
    let lane = 0;
    while (taken[lane]?.some(([start, end]) => span[0] <= end && start <= span[1])) lane += 1;
    (taken[lane] ??= []).push(span);
    return lane;
  });
}

const LANE = 8;

/** Draws the edges in the margin left of the cards: solid for "then", dashed for "if not found". */
export function FlowLines({ list, edges }: { list: RefObject<HTMLOListElement | null>; edges: FlowEdge[] }) {
  const [tops, setTops] = useState<number[]>([]);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => setTops([...element.children].map((child) => (child as HTMLElement).offsetTop));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, edges]);
  const lanes = lanesOf(edges);
  const width = flowWidth(edges);
  if (edges.length === 0 || tops.length === 0) return null;
  return (
    <svg className={classes.lines} width={width} height="100%" aria-hidden="true">
      {edges.map(({ from, to, kind }, index) => {
        const [start, end] = [(tops[from] ?? 0) + 28, (tops[to] ?? 0) + 18];
        const x = width - 8 - LANE * (lanes[index]! + 1);
        const turn = Math.min(6, Math.abs(end - start) / 2);
        const way = Math.sign(end - start) || 1;
        return (
          <g key={`${from}-${to}-${kind}`} data-kind={kind}>
            <path
              d={`M${width} ${start} H${x + turn} Q${x} ${start} ${x} ${start + way * turn} V${end - way * turn} Q${x} ${end} ${x + turn} ${end} H${width - 3}`}
            />
            <path
              className={classes.head}
              d={`M${width - 8} ${end - 4} L${width - 2} ${end} L${width - 8} ${end + 4}`}
            />
          </g>
        );
      })}
    </svg>
  );
}

export function flowWidth(edges: readonly FlowEdge[]): number {
  return edges.length === 0 ? 0 : 12 + LANE * (Math.max(...lanesOf(edges)) + 1);
}
