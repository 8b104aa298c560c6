import { useTranslation } from "react-i18next";
import { GraphCanvas } from "@/features/graphs/canvas/GraphCanvas";
import type { RunGraph } from "./definition";
import type { GraphFold } from "./fold";
import { useRunLooks } from "./useRunLooks";

interface Props {
  graph: RunGraph;
  fold: GraphFold;
  version: number;
  live: boolean;
  /** Turns of loops that somebody picked, by node: the node shows that visit. */
  picked: ReadonlyMap<string, string>;
  selected: string | null;
  onSelect: (node: string | null) => void;
  onEdge: (source: string, target: string) => void;
  breakpoints: ReadonlySet<string>;
  onToggle?: (node: string) => void;
}

/** The graph with where the run stands on it. */
export function RunCanvas(props: Props) {
  const { graph, fold, version, live, picked, selected, onSelect, onEdge, breakpoints, onToggle } = props;
  const { t } = useTranslation();
  const looks = useRunLooks(fold, version, live, picked);
  return (
    <GraphCanvas
      definition={graph.definition}
      {...looks}
      selected={selected}
      onSelect={onSelect}
      onSelectEdge={onEdge}
      breakpoints={breakpoints}
      onToggleBreakpoint={onToggle}
      label={t("run.canvas")}
    />
  );
}
