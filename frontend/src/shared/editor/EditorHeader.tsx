import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { useDraft, useDraftHandle } from "./DraftContext";
import { DraftMenu } from "./DraftMenu";
import classes from "./Editor.module.css";
import { HistoryButton, PublishButton, StateBadge, UndoRedo } from "./HeaderParts";
import { SaveMark } from "./SaveMark";

interface Props {
  /** Which views of the document are shown. */
  views: ReactNode;
  historyOpen: boolean;
  onHistory: () => void;
  /** Starts and stops, for those who may. */
  run: ReactNode;
}

/** Says once why nothing can be written. */
function ReadOnly() {
  const { t } = useTranslation();
  return (
    <Tooltip label={t("save.readOnlyWhy")} multiline maw={320}>
      <span className={`muted truncate ${classes.readOnly}`} tabIndex={0}>
        {t("save.readOnly")}
      </span>
    </Tooltip>
  );
}

/** An editor's header: the name, whether it is published, how far saving is, and what can be done with the whole. */
export function EditorHeader({ views, historyOpen, onHistory, run }: Props) {
  const { t } = useTranslation();
  const { place } = useDraftHandle().kind;
  const name = useDraft((state) => state.draft.name);
  const readOnly = useDraft((state) => state.readOnly);
  const mayPublish = useMay(`${place}.publish`);
  return (
    <header className={classes.header}>
      <div className={classes.title}>
        <Link to={`/${place}`} className={classes.crumb}>
          {t(`places.${place}`)}
        </Link>
        <span className={classes.crumb} aria-hidden="true">
          /
        </span>
        <h1 className="truncate">{name}</h1>
        <StateBadge />
        {readOnly ? <ReadOnly /> : <SaveMark />}
      </div>
      {views}
      <div className={classes.actions}>
        {!readOnly && <UndoRedo />}
        <HistoryButton open={historyOpen} onToggle={onHistory} />
        <DraftMenu />
        {mayPublish && <PublishButton />}
        {run}
      </div>
    </header>
  );
}
