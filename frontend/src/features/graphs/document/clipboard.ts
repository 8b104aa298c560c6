/** Steps as text, to be pasted here or into another graph. */
import type { Edit } from "@/shared/yaml/edit";
import { Flow, type Plain, plainOf, Raw, type Value, valueOf } from "@/shared/yaml/plain";
import { mapLines } from "@/shared/yaml/render";
import { sourceOf } from "@/shared/yaml/source";
import { fieldOf, type Graph, graphOf, type Place, TOP_FIELDS } from "./graph";
import { freeName, stepRewrite } from "./names";

const entriesOf = (plain: Plain | undefined) => (plain && "map" in plain ? plain.map : []);

/** Steps with the edges among them, as YAML. */
export function copyText(text: string, names: ReadonlySet<string>): string {
  const root = entriesOf(plainOf(sourceOf(text).doc.contents));
  const nodes = entriesOf(fieldOf(root, "nodes")).filter(([name]) => names.has(name));
  const places = entriesOf(fieldOf(root, "layout")).filter(([name]) => names.has(name));
  const all = fieldOf(root, "edges");
  const edges = (all && "seq" in all ? all.seq : []).filter((edge) => {
    const one = graphOf({ map: [["edges", { seq: [edge] }]] }).edges[0]!;
    return names.has(one.source) && one.targets.length > 0 && one.targets.every((target) => names.has(target));
  });
  const parts: [string, Value][] = [["nodes", valueOf({ map: nodes })]];
  if (edges.length) parts.push(["edges", edges.map((edge) => new Flow(valueOf(edge)))]);
  if (places.length)
    parts.push(["layout", Object.fromEntries(places.map(([name, at]) => [name, new Flow(valueOf(at))]))]);
  return `${mapLines(parts, 0, { step: 2, dash: 2 }).join("\n")}\n`;
}

function withTexts(
  plain: Plain,
  change: (path: (string | number)[], text: string) => string,
  path: (string | number)[],
): Plain {
  if ("text" in plain) return { text: change(path, plain.text) };
  if ("seq" in plain) return { seq: plain.seq.map((item, i) => withTexts(item, change, [...path, i])) };
  if ("map" in plain) return { map: plain.map.map(([key, item]) => [key, withTexts(item, change, [...path, key])]) };
  return plain;
}

export interface Pasted {
  names: string[];
  edits: Edit[];
}

/** What pasting a text does, or null when it holds no steps. `at` is where the first of them goes. */
export function paste(graph: Graph, root: Plain, text: string, at: Place): Pasted | null {
  let given: Plain;
  try {
    const source = sourceOf(text);
    if (source.trouble()) return null;
    given = plainOf(source.doc.contents);
  } catch {
    return null;
  }
  const nodes = entriesOf(fieldOf(entriesOf(given), "nodes"));
  if (nodes.length === 0 || nodes.some(([, node]) => !("map" in node))) return null;
  let read: Graph;
  try {
    read = graphOf(given);
  } catch {
    return null;
  }
  const taken = new Set(graph.nodes.map(({ name }) => name));
  const names = new Map<string, string>();
  for (const [name] of nodes) {
    const free = freeName(name, taken);
    taken.add(free);
    names.set(name, free);
  }
  const calls = new Map(read.nodes.map(({ name, call }) => [name, call]));
  const shifted = new Map([...names].filter(([from, to]) => from !== to));
  // By way of names that nobody uses, so that one new name isn't taken for another's old one.
  const steps = [...shifted].flatMap(([from, to], i) => [[from, `__${i}__`, 0] as const, [`__${i}__`, to, 1] as const]);
  steps.sort((a, b) => a[2] - b[2]);
  const plain = withTexts(
    given,
    (path, old) =>
      steps.reduce(
        (text, [from, to]) =>
          text.includes(from) ? stepRewrite(path, calls.get(String(path[1])), from, to).text(text) : text,
        old,
      ),
    [],
  );
  const left = Math.min(...read.nodes.map(({ x }) => x));
  const top = Math.min(...read.nodes.map(({ y }) => y));
  const places = read.nodes.map(({ name, x, y }): [string, Value] => [
    names.get(name)!,
    new Flow({ x: new Raw(String(at.x + x - left)), y: new Raw(String(at.y + y - top)) }),
  ]);
  const entries = entriesOf(fieldOf(entriesOf(plain), "nodes")).map(([name, node]): [string, Value] => [
    names.get(name)!,
    valueOf(node),
  ]);
  const more = fieldOf(entriesOf(plain), "edges");
  const edges = (more && "seq" in more ? more.seq : []).map((edge) => new Flow(valueOf(edge)));
  const known = fieldOf(entriesOf(root), "edges");
  const list = known && "seq" in known;
  const edgeEdits: Edit[] =
    edges.length === 0
      ? []
      : !list
        ? [{ op: "set", path: ["edges"], value: edges, order: TOP_FIELDS }]
        : [{ op: "extend", path: ["edges"], values: edges }];
  return {
    names: [...names.values()],
    edits: [
      { op: "add", path: ["nodes"], entries, order: TOP_FIELDS },
      { op: "add", path: ["layout"], entries: places, order: TOP_FIELDS },
      ...edgeEdits,
    ],
  };
}
