import { useTranslation } from "react-i18next";
import shared from "@/shared/editor/Editor.module.css";
import { EditorHeader } from "@/shared/editor/EditorHeader";
import { useMay } from "@/shared/session/session";
import { RunButton } from "./run/RunButton";

interface Props {
  yaml: boolean;
  onYaml: () => void;
  history: boolean;
  onHistory: () => void;
  onRun: () => void;
}

/** The header of a graph's editor. */
export function Header({ yaml, onYaml, history, onHistory, onRun }: Props) {
  const { t } = useTranslation();
  const mayRun = useMay("runs.start");
  return (
    <EditorHeader
      views={
        <div className={shared.views} role="group" aria-label={t("views.title")}>
          <button type="button" aria-pressed={yaml} onClick={onYaml}>
            YAML
          </button>
        </div>
      }
      historyOpen={history}
      onHistory={onHistory}
      run={mayRun && <RunButton onRun={onRun} />}
    />
  );
}
