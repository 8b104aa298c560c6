import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PlacedProblem } from "@/shared/api/shapes";
import YamlEditor from "@/shared/editor/yaml/YamlEditor";
import type { ToolForm } from "../../document/tool";
import { useEditorHandle } from "../EditorContext";
import { type FieldName, toolCompletions } from "./completion";

/** The tool's YAML, with what can be written at the caret. */
export default function ToolYaml({ warnings }: { warnings: readonly PlacedProblem[] }) {
  const { t } = useTranslation();
  const { store } = useEditorHandle();
  const form = useRef<ToolForm | null>(store.getState().reading.form ?? null);
  useEffect(
    () =>
      store.subscribe((state) => {
        form.current = state.reading.form ?? form.current;
      }),
    [store],
  );
  const completion = useMemo(
    () =>
      toolCompletions({
        form: () => form.current,
        about: (place: string, field: FieldName) =>
          t(`fields.${place.includes("var") && field === "default" ? "varDefault" : field}`),
      }),
    [t],
  );
  return <YamlEditor label={t("yaml.label")} completion={completion} warnings={warnings} />;
}
