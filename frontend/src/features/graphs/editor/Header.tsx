import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { DraftMenu } from "@/shared/editor/DraftMenu";
import shared from "@/shared/editor/Editor.module.css";
import { HistoryButton, PublishButton, StateBadge, UndoRedo } from "@/shared/editor/HeaderParts";
import { SaveMark } from "@/shared/editor/SaveMark";
import { useMay } from "@/shared/session/session";
import { useEditor } from "./context";
import { RunButton } from "./run/RunButton";

interface Props {
  yaml: boolean;
  onYaml: () => void;
  history: boolean;
  onHistory: () => void;
  onRun: () => void;
}

/** The graph's name, how it is saved, and what can be done with the whole of it. */
export function Header({ yaml, onYaml, history, onHistory, onRun }: Props) {
  const { t } = useTranslation();
  const name = useEditor((state) => state.draft.name);
  const readOnly = useEditor((state) => state.readOnly);
  const mayPublish = useMay("graphs.publish");
  const mayRun = useMay("runs.start");
  return (
    <header className={shared.header}>
      <div className={shared.title}>
        <Link to="/graphs" className={shared.crumb}>
          {t("places.graphs")}
        </Link>
        <span className={shared.crumb} aria-hidden="true">
          /
        </span>
        <h1 className="truncate">{name}</h1>
        <StateBadge />
        {readOnly ? <span className="muted">{t("save.readOnly")}</span> : <SaveMark />}
      </div>
      <div className={shared.views} role="group" aria-label={t("views.title")}>
        <button type="button" aria-pressed={yaml} onClick={onYaml}>
          YAML
        </button>
      </div>
      <div className={shared.actions}>
        {!readOnly && <UndoRedo />}
        <HistoryButton open={history} onToggle={onHistory} />
        <DraftMenu />
        {mayPublish && <PublishButton />}
        {mayRun && <RunButton onRun={onRun} />}
      </div>
    </header>
  );
}
