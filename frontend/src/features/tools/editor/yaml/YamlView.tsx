import { SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { TextBlock } from "@/shared/ui/TextBlock";
import { Waiting } from "@/shared/ui/Waiting";
import { useEditor } from "../EditorContext";
import { PaneHead } from "@/shared/editor/PaneHead";
import { ProblemList, type ProblemWarning } from "@/shared/editor/yaml/ProblemList";
import classes from "@/shared/editor/yaml/Yaml.module.css";

const ToolYaml = lazy(() => import("./ToolYaml"));

/** What the LLM is told about the tool. */
function SchemaView() {
  const { t } = useTranslation();
  const schema = useEditor((state) => state.schema);
  if (!schema)
    return (
      <div className={classes.schema}>
        <p className="muted">{t("yaml.noSchema")}</p>
      </div>
    );
  return (
    <div className={classes.schema}>
      <p className="muted">{t("yaml.schemaHint")}</p>
      <TextBlock text={JSON.stringify(schema, null, 2)} label={t("yaml.schema")} />
    </div>
  );
}

export function YamlView({ warnings }: { warnings: readonly ProblemWarning[] }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState("yaml");
  return (
    <>
      <PaneHead title="YAML">
        <SegmentedControl
          size="xs"
          value={tab}
          onChange={setTab}
          aria-label={t("yaml.tabs")}
          data={[
            { value: "yaml", label: "YAML" },
            { value: "schema", label: t("yaml.schema") },
          ]}
        />
      </PaneHead>
      <div className={classes.pane} hidden={tab !== "yaml"}>
        <Suspense fallback={<Waiting />}>
          <ToolYaml warnings={warnings} />
        </Suspense>
        <ProblemList to="yaml" warnings={warnings} />
      </div>
      {tab === "schema" && <SchemaView />}
    </>
  );
}
