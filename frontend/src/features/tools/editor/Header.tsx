import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { EditorHeader } from "@/shared/editor/EditorHeader";
import { RunButton } from "./run/RunButton";
import { useRunStart } from "./run/RunStart";
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

/** The header of a tool's editor. */
export function Header({ views, historyOpen, onHistory }: Props) {
  const { may } = useRunStart();
  return (
    <EditorHeader
      views={<ViewSwitch views={views} />}
      historyOpen={historyOpen}
      onHistory={onHistory}
      run={may && <RunButton />}
    />
  );
}
