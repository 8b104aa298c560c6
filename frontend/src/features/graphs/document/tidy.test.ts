import { describe, expect, it } from "vitest";
import { type Graph, NODE_HEIGHT, NODE_WIDTH, readGraph } from "./graph";
import { type Placed, runsOver } from "./room";
import { tidyPlaces } from "./tidy";

function read(edges: string[][], notes = ""): Graph {
  const names = [...new Set(edges.flat())];
  const reading = readGraph(
    [
      "name: g",
      `entry: ${names[0]}`,
      "nodes:",
      ...names.map((name) => `  ${name}: {call: Delay, settings: {seconds: 0}}`),
      "edges:",
      ...edges.map(([source, target]) => `  - {source: ${source}, target: ${target}}`),
      ...(notes ? ["notes:", notes] : []),
    ].join("\n"),
  );
  if (!reading.graph) throw new Error("no graph");
  return reading.graph;
}

/** The steps that lie on a wire between two others, as `wire/step`. */
function covered(graph: Graph, places: readonly Placed[]): string[] {
  const at = new Map(places.map((one) => [one.id, one]));
  return graph.edges.flatMap(({ source, targets }) =>
    targets.flatMap((target) =>
      graph.nodes
        .filter(({ name }) => name !== source && name !== target)
        .filter(({ name }) => runsOver(at.get(source)!, at.get(target)!, at.get(name)!))
        .map(({ name }) => `${source}>${target}/${name}`),
    ),
  );
}

function overlapping(places: readonly Placed[]): string[] {
  return places.flatMap((a, index) =>
    places
      .slice(index + 1)
      .filter((b) => Math.abs(a.x - b.x) < NODE_WIDTH && Math.abs(a.y - b.y) < NODE_HEIGHT)
      .map((b) => `${a.id}/${b.id}`),
  );
}

/** Pairs of letters, a wire each. */
const wires = (text: string) => text.split(" ").map((pair) => [...pair]);

describe("tidy", () => {
  it.each([
    ["a way past one step", "ab bc ac"],
    ["a way past many", "ab bc cd de ae ad"],
    ["a way back over a lower row", "ab ac bd cd db ce"],
    ["loops inside of loops", "ab bc cd dc db ae ef fe ea"],
    ["a fan with ways past it", "ab ac ad be ce de ae bf ef"],
  ])("puts no step on a wire: %s", (_, text) => {
    const graph = read(wires(text));
    const places = tidyPlaces(graph, "else");
    expect(covered(graph, places)).toEqual([]);
    expect(overlapping(places)).toEqual([]);
  });

  it("keeps a large graph together, and few steps on wires", () => {
    let seed = 3;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const pairs = Array.from({ length: 59 }, (_, index): [number, number][] => [
      [index, Math.min(59, index + 1 + random(3))],
      ...(random(3) === 0 ? [[index, Math.min(59, index + 2 + random(4))] as [number, number]] : []),
      ...(random(8) === 0 && index > 4 ? [[index, index - 1 - random(4)] as [number, number]] : []),
    ]).flat();
    const graph = read(pairs.map((pair) => pair.map((one) => `n${one}`)));
    const places = tidyPlaces(graph, "else");
    const heights = places.map(({ y }) => y).sort((a, b) => a - b);
    const gaps = heights.slice(1).map((y, index) => y - heights[index]!);
    expect(Math.max(...gaps)).toBeLessThan(4 * 88);
    expect(overlapping(places)).toEqual([]);
    expect(covered(graph, places).length).toBeLessThan(graph.edges.length / 20);
  });

  it("would put one there if none gave way", () => {
    const graph = read(wires("ab bc ac"));
    const row = ["a", "b", "c"].map((id, index) => ({ id, x: index * 272, y: 0 }));
    expect(covered(graph, row)).toEqual(["a>c/b"]);
  });

  it("takes notes along, and lays none on a step", () => {
    const graph = read(wires("ab ac"), "  - {text: Of a, x: 0, y: -120}\n  - {text: On b, x: 250, y: 10}");
    const places = tidyPlaces(graph, "else");
    const [, , , ofA, onB] = places;
    const a = places.find(({ id }) => id === "a")!;
    const before = graph.nodes.find(({ name }) => name === "a")!;
    expect([ofA!.x - a.x, ofA!.y - a.y]).toEqual([0 - before.x, -120 - before.y]);
    for (const step of places.slice(0, 3))
      expect(onB!.y >= step.y + NODE_HEIGHT || onB!.x >= step.x + NODE_WIDTH || onB!.y + 48 <= step.y).toBe(true);
  });
});
