import { describe, expect, it } from "vitest";
import { labelWidth, NODE_HEIGHT, ROW } from "./geometry";
import { labelPlace } from "./room";

/** Three steps in a column, one column after the step that asks: the middle one stands beside it. */
const from = { sourceX: 208, sourceY: 0, targetX: 272 };
const middle = { x: 240, y: 0 };

describe("the label of a wire", () => {
  it("stands on the wire where it has room, or where the wire goes up or down", () => {
    expect(labelPlace({ x: 400, y: 0 }, { ...from, targetX: 600, targetY: 0 }, 90)).toEqual({ x: 400, y: 0 });
    expect(labelPlace({ x: 240, y: -44 }, { ...from, targetY: -ROW }, 90)).toEqual({ x: 240, y: -44 });
  });

  it("stands above its own target where the gap is too narrow, beside the label of the way that goes up", () => {
    const width = labelWidth("status = lost");
    const up = labelPlace({ x: 240, y: -ROW / 2 }, { ...from, targetY: -ROW }, width);
    const own = labelPlace(middle, { ...from, targetY: 0 }, width);
    expect(own.x - width / 2).toBeGreaterThan(from.targetX);
    expect(own.y).toBeLessThan(-NODE_HEIGHT / 2);
    expect(Math.abs(own.x - up.x)).toBeGreaterThan(labelWidth("status = lost") / 2 + labelWidth("x") / 2);
  });

  it("stays on a wire that leads back", () => {
    expect(labelPlace({ x: 0, y: 64 }, { ...from, targetX: -272, targetY: 0 }, 90)).toEqual({ x: 0, y: 64 });
  });
});
