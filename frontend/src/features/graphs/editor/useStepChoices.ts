import { useDebounced } from "@/shared/hooks/useDebounced";
import { useCalls, useGraph } from "./context";
import { useNames } from "./inspector/useNames";
import { choicesOf, type StepChoice } from "./kindsFound";

/** Until no key is pressed for so long, nothing is searched for at the server. */
const STILL_MS = 250;

/** What a typed text finds to make a step of. */
export function useStepChoices(text: string): StepChoice[] {
  const calls = useCalls();
  const { graph } = useGraph();
  const still = useDebounced(text.trim(), STILL_MS);
  const typed = text.trim() !== "";
  const tools = useNames("tools", still, typed);
  const graphs = useNames("graphs", still, typed);
  return choicesOf(calls, text, { Tool: tools, Graph: graphs.filter(({ name }) => name !== graph.name) });
}
