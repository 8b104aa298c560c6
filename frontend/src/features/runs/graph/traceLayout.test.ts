import { describe, expect, it } from "vitest";
import { BOX, boxesIn, layoutTrace, linksIn, moved } from "./traceLayout";
import { type GraphVisit, newVisit } from "./visits";

function visit(id: string, parents: string[] = [], more: Partial<GraphVisit> = {}): GraphVisit {
  const path = id.includes("/") ? ["each"] : [];
  return { ...newVisit(id, `n${id}`, path), parents, state: "finished", ...more };
}

const at = (visits: GraphVisit[]) =>
  Object.fromEntries(layoutTrace(visits).boxes.map(({ visit: { id }, column, row }) => [id, [column, row]]));

describe("the drawing of a trace", () => {
  it("keeps a chain in a row and gives each other branch one below", () => {
    expect(at([visit("1"), visit("2", ["1"]), visit("3", ["1"]), visit("4", ["2", "3"])])).toEqual({
      "1": [0, 0],
      "2": [1, 0],
      "3": [1, 1],
      "4": [2, 0],
    });
  });

  it("draws what was taken back as a side branch, whenever it came", () => {
    const gone = { takenBack: true };
    const visits = [visit("1"), visit("2", ["1"], gone), visit("3", ["2"], gone), visit("4", ["1"])];
    expect(at(visits)).toEqual({ "1": [0, 0], "2": [1, 1], "3": [2, 1], "4": [1, 0] });
    expect(at([visit("1", [], gone), visit("2")])).toEqual({ "1": [0, 1], "2": [0, 0] });
  });

  it("puts nested graphs under the visit in which they ran", () => {
    const visits = [visit("1"), visit("1[0]/1"), visit("1[1]/1"), visit("1[0]/2", ["1[0]/1"]), visit("2", ["1"])];
    expect(at(visits)).toEqual({
      "1": [0, 0],
      "1[0]/1": [1, 1],
      "1[1]/1": [1, 2],
      "1[0]/2": [2, 1],
      "2": [1, 0],
    });
    expect(layoutTrace(visits).links.filter(({ inside }) => inside)).toHaveLength(2);
  });

  it("shares rows, so that many turns of a loop stay low", () => {
    const visits = [visit("1")];
    for (let n = 2; n <= 200; n += 1) visits.push(visit(`${n}`, [`${n - 1}`]), visit(`${n}/1`));
    const layout = layoutTrace(visits);
    expect(layout.height).toBe(2 * BOX.margin + 2 * BOX.height + BOX.rowGap);
    const cells = new Set(layout.boxes.map(({ column, row }) => `${column} ${row}`));
    expect(cells.size).toBe(visits.length);
  });

  it("moves by keys", () => {
    const layout = layoutTrace([visit("1"), visit("2", ["1"]), visit("3", ["1"])]);
    const box = (id: string) => layout.byId.get(id)!;
    expect(moved(layout, box("1"), "ArrowRight")).toBe(box("2"));
    expect(moved(layout, box("2"), "ArrowDown")).toBe(box("3"));
    expect(moved(layout, box("3"), "ArrowDown")).toBe(box("3"));
    expect(moved(layout, box("3"), "ArrowLeft")).toBe(box("1"));
    expect(moved(layout, box("1"), "End")).toBe(box("3"));
  });

  it.each(["chain", "fan"])("lays out 5,000 visits of a %s in a moment and shows only what is in view", (shape) => {
    const visits = [visit("1")];
    for (let n = 2; n <= 5000; n += 1) visits.push(visit(`${n}`, [shape === "chain" ? `${n - 1}` : "1"]));
    const begun = performance.now();
    const layout = layoutTrace(visits);
    expect(performance.now() - begun).toBeLessThan(300);
    const middle = layout.byId.get("2500")!;
    const view = { left: middle.x - 200, top: middle.y - 200, right: middle.x + 200, bottom: middle.y + 200 };
    const shown = boxesIn(layout, view);
    expect(shown).toContain(middle);
    expect(shown.length).toBeLessThan(40);
    const links = linksIn(layout, view);
    expect(links.some(({ to }) => to === middle)).toBe(true);
    expect(links.length).toBeLessThan(40);
  });
});
