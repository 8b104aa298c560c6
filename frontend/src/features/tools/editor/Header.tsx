import { ActionIcon, Badge, Button, Menu, SegmentedControl, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconRocket } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useMay } from "@/shared/session/session";
import { useErrorText } from "@/shared/ui/useErrorText";
import { toolPublish } from "../requests/toolPublish";
import { useEditor, useEditorHandle } from "./EditorContext";
import { RunButton } from "./run/RunButton";
import { useRunStart } from "./run/RunStart";
import { SaveMark } from "@/shared/editor/SaveMark";
import { ToolMenu } from "./ToolMenu";
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

function PublishButton() {
  const { t } = useTranslation();
  const { store, saver } = useEditorHandle();
  const queries = useQueryClient();
  const tool = useEditor((state) => state.draft);
  const changed = useEditor((state) => state.text !== state.draft.yaml);
  const faulty = useEditor((state) => state.problems.length > 0);
  const publish = useMutation({
    mutationFn: async () => {
      if (!(await saver.flush())) throw new Error(t("save.runNeedsSave"));
      return toolPublish(tool.name, saver.revision);
    },
    onSuccess: (published) => {
      store.getState().took(published);
      void queries.invalidateQueries({ queryKey: ["tools"] });
      void queries.invalidateQueries({ queryKey: ["tools", "versions", tool.name] });
    },
  });
  const error = useErrorText(publish.error);
  const current = tool.published_revision === tool.revision && !changed;
  const hint = error ?? (faulty ? t("publish.faulty") : current ? t("publish.current") : t("publish.hint"));
  return (
    <Tooltip label={hint} opened={error ? true : undefined} color={error ? "red" : undefined} multiline maw={320}>
      <Button
        variant="default"
        leftSection={<IconRocket size={15} />}
        loading={publish.isPending}
        onClick={() => publish.mutate()}
        data-disabled={faulty || current || undefined}
        aria-disabled={faulty || current}
        onClickCapture={(event) => (faulty || current) && event.stopPropagation()}
      >
        {t("publish.publish")}
      </Button>
    </Tooltip>
  );
}

function StateBadge() {
  const { t } = useTranslation();
  const tool = useEditor((state) => state.draft);
  const changed = useEditor((state) => state.text !== state.draft.yaml);
  const published = tool.published_revision;
  const state = published === null ? "draft" : published === tool.revision && !changed ? "published" : "changed";
  return (
    <Badge
      variant="outline"
      color={state === "published" ? "green" : "gray"}
      tt="none"
      fw={400}
      style={{ flex: "none" }}
    >
      {t(`tools.state.${state}`)}
    </Badge>
  );
}

/** The editor's header: name, state, how far saving is, and what can be done. */
export function Header({ views, historyOpen, onHistory }: Props) {
  const { t } = useTranslation();
  const name = useEditor((state) => state.draft.name);
  const readOnly = useEditor((state) => state.readOnly);
  const canUndo = useEditor((state) => state.history.past.length > 0);
  const canRedo = useEditor((state) => state.history.future.length > 0);
  const undo = useEditor((state) => state.undo);
  const redo = useEditor((state) => state.redo);
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
        {!readOnly && (
          <>
            <Tooltip label={`${t("edit.undo")} (Ctrl+Z)`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t("edit.undo")}
                disabled={!canUndo}
                onClick={undo}
              >
                <IconArrowBackUp size={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={`${t("edit.redo")} (Ctrl+Shift+Z)`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t("edit.redo")}
                disabled={!canRedo}
                onClick={redo}
              >
                <IconArrowForwardUp size={18} />
              </ActionIcon>
            </Tooltip>
          </>
        )}
        <Tooltip label={t("history.title")}>
          <ActionIcon
            variant={historyOpen ? "light" : "subtle"}
            color="gray"
            size="lg"
            aria-label={t("history.title")}
            aria-expanded={historyOpen}
            onClick={onHistory}
          >
            <IconHistory size={18} />
          </ActionIcon>
        </Tooltip>
        <Menu>
          <ToolMenu />
        </Menu>
        {mayPublish && <PublishButton />}
        {may && <RunButton />}
      </div>
    </header>
  );
}
