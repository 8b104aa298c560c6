/** Room for wires: where they run, and which steps have to give way so that none lies on a wire that passes by. */
import { NODE_HEIGHT, NODE_WIDTH, type Place, ROW } from "./geometry";
import type { Graph } from "./graph";

/** How far below its ends a wire runs that leads back, and how far it reaches out beside them, in px. */
export const BACK = { below: 64, beside: 40 } as const;
/** What stays free between a wire and a step, in px. */
const GAP = 16;
const BETWEEN_STEPS = 32;
const SAMPLES = 32;
const MOST_ROUNDS = 40;
/** How far a step gives way, in px. */
const FARTHEST = 3 * ROW;

/** Whether a wire leads back: it is drawn below both ends. */
export const leadsBack = (sourceX: number, targetX: number): boolean => targetX < sourceX - 8;

/** Right of a step's breakpoint, where its upper edge is free; and how far above that edge a label stands, in px. */
const ABOVE = { right: 40, up: 14 } as const;

/**
 * Where the middle of a wire's label stands: on the wire; where it has no room between steps that stand side by side,
 * above the step that the wire leads to, for in the gap it would lie on the label of the way that goes up.
 */
export function labelPlace(
  onWire: Place,
  ends: { sourceX: number; sourceY: number; targetX: number; targetY: number },
  width: number,
): Place {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const beside = !leadsBack(sourceX, targetX) && Math.abs(targetY - sourceY) < NODE_HEIGHT;
  if (!beside || targetX - sourceX >= width) return onWire;
  return { x: targetX + ABOVE.right + width / 2, y: targetY - NODE_HEIGHT / 2 - ABOVE.up };
}

export type Placed = Place & { id: string };

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const boxOf = ({ x, y }: Place): Box => ({ left: x, right: x + NODE_WIDTH, top: y, bottom: y + NODE_HEIGHT });

/** The heights between which a wire runs where it is as far to the right as a box; null where it isn't. */
function bandIn(source: Place, target: Place, box: Box): { top: number; bottom: number } | null {
  const [sx, sy] = [source.x + NODE_WIDTH, source.y + NODE_HEIGHT / 2];
  const [tx, ty] = [target.x, target.y + NODE_HEIGHT / 2];
  if (leadsBack(sx, tx)) {
    if (sx + BACK.beside < box.left || tx - BACK.beside > box.right) return null;
    const low = Math.max(sy, ty) + BACK.below;
    return { top: low, bottom: low };
  }
  if (tx <= box.left || sx >= box.right) return null;
  const middle = (sx + tx) / 2;
  const heights: number[] = [];
  for (let index = 0; index <= SAMPLES; index += 1) {
    const t = index / SAMPLES;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
    const x = a * sx + (b + c) * middle + d * tx;
    if (x < box.left - GAP || x > box.right + GAP) continue;
    heights.push((a + b) * sy + (c + d) * ty);
  }
  return heights.length ? { top: Math.min(...heights), bottom: Math.max(...heights) } : null;
}

/** Whether a wire between two steps runs over a third one. */
export function runsOver(source: Place, target: Place, step: Place): boolean {
  const box = boxOf(step);
  const band = bandIn(source, target, box);
  return band !== null && band.bottom > box.top && band.top < box.bottom;
}

/** Moves the steps of a column away from one of them, upwards or downwards, so that none lies on another. */
function spread(column: Placed[], from: Placed): void {
  column.sort((a, b) => a.y - b.y);
  const least = NODE_HEIGHT + BETWEEN_STEPS;
  const at = column.indexOf(from);
  for (let index = at + 1; index < column.length; index += 1)
    column[index]!.y = Math.max(column[index]!.y, column[index - 1]!.y + least);
  for (let index = at - 1; index >= 0; index -= 1)
    column[index]!.y = Math.min(column[index]!.y, column[index + 1]!.y - least);
}

/** Where a step would leave a wire alone: on the side on which it gave way before, else on the nearer one. */
function besideBand(step: Placed, band: { top: number; bottom: number }, way: number): number {
  const above = Math.floor((band.top - GAP - NODE_HEIGHT) / 8) * 8;
  const below = Math.ceil((band.bottom + GAP) / 8) * 8;
  if (way !== 0) return way < 0 ? above : below;
  return step.y - above < below - step.y ? above : below;
}

/**
 * Moves steps up or down where a wire between two others runs over them. Steps of one column begin at one x.
 *
 * A step gives way to one side only and not far: two that give way to each other's wires would wander off.
 */
export function leaveRoom(graph: Pick<Graph, "edges">, placed: readonly Placed[]): Placed[] {
  const steps = placed.map((one) => ({ ...one }));
  const byId = new Map(steps.map((one) => [one.id, one]));
  const before = new Map(placed.map(({ id, y }) => [id, y]));
  const ways = new Map<string, number>();
  const columns = new Map<number, Placed[]>();
  for (const step of steps) columns.set(step.x, [...(columns.get(step.x) ?? []), step]);
  const wires = graph.edges.flatMap(({ source, targets }) =>
    targets.flatMap((target): [Placed, Placed][] => {
      const ends = [byId.get(source), byId.get(target)] as const;
      return ends[0] && ends[1] && ends[0] !== ends[1] ? [[ends[0], ends[1]]] : [];
    }),
  );
  /** Moves what a wire runs over in a column; whether anything moved. */
  const giveWay = ([source, target]: [Placed, Placed], x: number, column: Placed[]): boolean => {
    const band = bandIn(source, target, boxOf({ x, y: 0 }));
    if (band === null) return false;
    let moved = false;
    for (const step of [...column]) {
      if (step === source || step === target) continue;
      if (band.bottom + GAP <= step.y || band.top - GAP >= step.y + NODE_HEIGHT) continue;
      const y = besideBand(step, band, ways.get(step.id) ?? 0);
      if (Math.abs(y - before.get(step.id)!) > FARTHEST) continue;
      ways.set(step.id, Math.sign(y - step.y));
      step.y = y;
      spread(column, step);
      moved = true;
    }
    return moved;
  };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let moved = false;
    for (const wire of wires) for (const [x, column] of columns) if (giveWay(wire, x, column)) moved = true;
    if (!moved) break;
  }
  return steps;
}

/** Notes go along with the step that is nearest to them; where they would lie on a step, below all. */
export function notesAlong(graph: Graph, placed: readonly Placed[]): Placed[] {
  const after = new Map(placed.map((one) => [one.id, one]));
  let below = Math.max(...placed.map(({ y }) => y)) + NODE_HEIGHT + BETWEEN_STEPS;
  return graph.notes.map((note) => {
    const away = (node: Place) =>
      Math.hypot(
        Math.max(node.x - note.x - note.width, 0, note.x - node.x - NODE_WIDTH),
        Math.max(node.y - note.y - note.height, 0, note.y - node.y - NODE_HEIGHT),
      );
    const near = graph.nodes.reduce<Graph["nodes"][number] | null>(
      (best, node) => (best && away(best) <= away(node) ? best : node),
      null,
    );
    const to = near && after.get(near.name);
    const moved = to ? { x: note.x + to.x - near.x, y: note.y + to.y - near.y } : { x: note.x, y: note.y };
    const covers = placed.some(
      ({ x, y }) =>
        moved.x < x + NODE_WIDTH && moved.x + note.width > x && moved.y < y + NODE_HEIGHT && moved.y + note.height > y,
    );
    if (!covers) return { id: `note ${note.index}`, ...moved };
    const place = { id: `note ${note.index}`, x: moved.x, y: below };
    below += note.height + BETWEEN_STEPS;
    return place;
  });
}
