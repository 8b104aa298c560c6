import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { PaneHead } from "@/shared/editor/PaneHead";
import { Waiting } from "@/shared/ui/Waiting";
import { ProblemList } from "@/shared/editor/yaml/ProblemList";
import yaml from "@/shared/editor/yaml/Yaml.module.css";

const YamlEditor = lazy(() => import("@/shared/editor/yaml/YamlEditor"));
const nothing = () => null;

/** The graph as YAML, edited either way. */
export function YamlPane() {
  const { t } = useTranslation();
  return (
    <>
      <PaneHead title="YAML" />
      <div className={yaml.pane}>
        <Suspense fallback={<Waiting />}>
          <YamlEditor label={t("graphs.yamlLabel")} completion={nothing} />
        </Suspense>
        <ProblemList to="yaml" />
      </div>
    </>
  );
}
