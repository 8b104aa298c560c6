import { SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { DraftMenu } from "@/shared/editor/DraftMenu";
import { HistoryButton, PublishButton, StateBadge, UndoRedo } from "@/shared/editor/HeaderParts";
import { useMay } from "@/shared/session/session";
import { useEditor } from "./EditorContext";
import { RunButton } from "./run/RunButton";
import { useRunStart } from "./run/RunStart";
import { SaveMark } from "@/shared/editor/SaveMark";
import { VIEWS, type Views } from "./useViews";
import classes from "@/shared/editor/Editor.module.css";

interface Props {
  views: Views;
  historyOpen: boolean;
  onHistory: () => void;
}

export function ViewSwitch({ views }: { views: Views }) {
  const { t } = useTranslation();
  const name = (view: (typeof VIEWS)[number]) => (view === "yaml" ? "YAML" : t(`views.${view}`));
  if (views.room === 1) {
    return (
      <SegmentedControl
        size="xs"
        value={views.shown[0]}
        onChange={(view) => views.show(view as (typeof VIEWS)[number])}
        aria-label={t("views.title")}
        data={VIEWS.map((view) => ({ value: view, label: name(view) }))}
      />
    );
  }
  return (
    <div className={classes.views} role="group" aria-label={t("views.title")}>
      {VIEWS.map((view) => (
        <button key={view} type="button" aria-pressed={views.shown.includes(view)} onClick={() => views.toggle(view)}>
          {name(view)}
        </button>
      ))}
    </div>
  );
}

/** The editor's header: name, state, how far saving is, and what can be done. */
export function Header({ views, historyOpen, onHistory }: Props) {
  const { t } = useTranslation();
  const name = useEditor((state) => state.draft.name);
  const readOnly = useEditor((state) => state.readOnly);
  const mayPublish = useMay("tools.publish");
  const { may } = useRunStart();
  return (
    <header className={classes.header}>
      <div className={classes.title}>
        <Link to="/tools" className={classes.crumb}>
          {t("places.tools")}
        </Link>
        <span className={classes.crumb} aria-hidden="true">
          /
        </span>
        <h1 className="truncate">{name}</h1>
        <StateBadge />
        {readOnly ? <span className="muted">{t("save.readOnly")}</span> : <SaveMark />}
      </div>
      <ViewSwitch views={views} />
      <div className={classes.actions}>
        {!readOnly && <UndoRedo />}
        <HistoryButton open={historyOpen} onToggle={onHistory} />
        <DraftMenu />
        {mayPublish && <PublishButton />}
        {may && <RunButton />}
      </div>
    </header>
  );
}
