import { expect, it } from "vitest";
import { copyText, paste } from "./clipboard";
import { readGraph } from "./graph";
import { editGraph, type GraphEdit, movePlaces, removeThings } from "./graphEdits";
import { tidyPlaces } from "./tidy";

const MANY = 400;
const names = (count: number) => Array.from({ length: count }, (_, n) => `step_${n}`);

function chain(count: number): string {
  const lines = ["name: chain", "# The steps", "nodes:"];
  for (const name of names(count))
    lines.push(`  ${name}:`, "    call: Convert", "    settings: {text: '${node:step_0/text}'}");
  lines.push("edges:");
  for (let n = 1; n < count; n += 1) lines.push(`  - {source: step_${n - 1}, target: step_${n}}`);
  lines.push("layout:");
  for (const [n, name] of names(count).entries()) lines.push(`  ${name}: {x: ${n * 8}, y: 0}`);
  return `${lines.join("\n")}\n`;
}

const read = (text: string) => readGraph(text).graph!;
const edited = (text: string, edit: GraphEdit) => {
  const result = editGraph(text, edit);
  if (!result.ok) throw new Error(result.why);
  return result.text;
};
const copied = (text: string) => copyText(text, new Set(names(MANY)));
/** Each edit reads the whole text again: however many things there are, there are few. */
const FEW = 8;

function counted(text: string, edit: GraphEdit): [string, number] {
  let count = 0;
  const result = edited(text, (graph, root) => {
    const edits = edit(graph, root);
    count = edits.length;
    return edits;
  });
  return [result, count];
}

it("pastes many steps at once", () => {
  const all = chain(MANY);
  const [text, count] = counted(all, (now, root) => paste(now, root, copied(all), { x: 0, y: 400 })!.edits);
  expect(text.startsWith(all.slice(0, all.indexOf("edges:")))).toBe(true);
  expect(read(text).nodes).toHaveLength(2 * MANY);
  expect(read(text).edges.at(-1)).toMatchObject({ source: "step_798", targets: ["step_799"] });
  expect(read(text).edges).toHaveLength(2 * (MANY - 1));
  expect(count).toBeLessThan(FEW);
});

it.each([
  ["all", names(MANY)],
  ["all but one", names(MANY).slice(1)],
  ["most", names(MANY).slice(50)],
])("deletes %s of many steps at once", (_, gone) => {
  const all = chain(MANY);
  const [text, count] = counted(all, removeThings(gone, [], []));
  const left = read(text);
  expect(left.nodes.map(({ name }) => name)).toEqual(names(MANY - gone.length));
  expect(left.edges).toHaveLength(Math.max(0, left.nodes.length - 1));
  expect(text).toContain("# The steps\n");
  expect(count).toBeLessThan(FEW);
});

it("tidies many steps at once", () => {
  const all = chain(300);
  const [text, count] = counted(all, movePlaces(tidyPlaces(read(all), "else")));
  expect(text.split("layout:")[0]).toBe(all.split("layout:")[0]);
  expect(count).toBeLessThan(FEW);
});
