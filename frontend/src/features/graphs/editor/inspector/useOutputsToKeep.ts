import { keepOutput, notKept } from "../../document/keptOutput";
import { outputsOf } from "../../document/outputs";
import { useCalls, useGraph } from "../context";
import { useWatched } from "../run/watched";
import { useSources } from "./sources";

/** No variable is named so. */
const MARK = "\u0000";

/** What a step puts out and no variable holds: to be picked as it is, and kept in a new variable with that. */
export function useOutputsToKeep(name: string) {
  const { graph, locked } = useGraph();
  const calls = useCalls();
  const node = graph.nodes.find((one) => one.name === name);
  const sources = useSources(node ? [node] : []);
  const seen = useWatched()
    ?.state.fold.visitsOf(name)
    .findLast(({ output }) => output !== undefined)?.output;
  const outputs = node && !locked ? notKept(graph, node, outputsOf(graph, name, calls, sources)) : [];
  return {
    left: outputs.map(({ path }) => ({ value: MARK + path, label: path })),
    /** The variable that what was picked would make; null for what is a variable already. */
    keep: (picked: string) => {
      const output = outputs.find(({ path }) => MARK + path === picked);
      return output ? keepOutput(graph, name, output, seen) : null;
    },
  };
}
