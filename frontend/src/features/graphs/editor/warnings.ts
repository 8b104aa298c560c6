/** What the open graph's problems and warnings are, told apart by whether something is wrong or only begun. */
import { createContext, useContext, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PlacedProblem } from "@/shared/api/shapes";
import type { ProblemWarning } from "@/shared/editor/yaml/ProblemList";
import { begunOf } from "../document/begun";
import { useEditor, useGraph } from "./context";

export interface Findings {
  /** What is wrong. */
  problems: PlacedProblem[];
  /** What is likely not meant, and what is still to be done. */
  warnings: ProblemWarning[];
  /** What to do first, while there is no step. */
  hint?: string;
}

const NOTHING: Findings = { problems: [], warnings: [] };

export const FindingsContext = createContext<Findings>(NOTHING);

export const useFindings = (): Findings => useContext(FindingsContext);

/** Looks through the open graph; what it found stays the same object while it says the same. */
export function useLookThrough(): Findings {
  const { t } = useTranslation();
  const { graph } = useGraph();
  const all = useEditor((state) => state.problems);
  const warnings = useEditor((state) => state.warnings);
  const checked = useEditor((state) => state.checked);
  const found = useMemo((): Findings => {
    // Until the server has looked again, what it missed in an empty graph no longer holds for the first step.
    const stale = ({ path }: PlacedProblem) => !checked && graph.nodes.length > 0 && ["nodes", "entry"].includes(path);
    const problems = all.filter((one) => begunOf(graph, one) === null && !stale(one));
    const begun = new Map<string, ProblemWarning>();
    for (const one of all) {
      const why = begunOf(graph, one);
      if (why && why !== "firstStep") begun.set(one.path, { ...one, message: t(`graphs.begun.${why}`) });
    }
    const hint = graph.nodes.length === 0 && all.length > 0 ? t("graphs.begun.firstStep") : undefined;
    return { problems, warnings: [...begun.values(), ...warnings], hint };
  }, [all, checked, graph, warnings, t]);
  const last = useRef(found);
  if (JSON.stringify(found) !== JSON.stringify(last.current)) last.current = found;
  return last.current;
}
