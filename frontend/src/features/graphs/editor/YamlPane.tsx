import { lazy, Suspense } from "react";
import { PaneHead } from "@/shared/editor/PaneHead";
import { Waiting } from "@/shared/ui/Waiting";
import { ProblemList } from "@/shared/editor/yaml/ProblemList";
import yaml from "@/shared/editor/yaml/Yaml.module.css";
import { useUi } from "./context";
import { useFindings } from "./warnings";

const GraphYaml = lazy(() => import("./yaml/GraphYaml"));

/** The graph as YAML, edited either way. */
export function YamlPane() {
  const findings = useFindings();
  // Listed below already, with more room.
  const listed = useUi((state) => state.dock === "problems");
  return (
    <>
      <PaneHead title="YAML" />
      <div className={yaml.pane}>
        <Suspense fallback={<Waiting />}>
          <GraphYaml />
        </Suspense>
        {!listed && <ProblemList to="yaml" {...findings} />}
      </div>
    </>
  );
}
