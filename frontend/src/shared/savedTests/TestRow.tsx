import { ActionIcon, Anchor, TextInput, Tooltip } from "@mantine/core";
import { IconPencil, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SavedTest } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { StateIcon } from "@/shared/ui/StateIcon";
import { DifferenceView } from "./DifferenceView";
import classes from "./SavedTests.module.css";

interface Props {
  test: SavedTest;
  running: boolean;
  /** Absent where one may not. */
  onRun?: () => void;
  onRename?: (title: string) => void;
  onDelete?: () => void;
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** The title while it is written: Enter keeps it, Escape leaves it as it was. */
function TitleField({ title, onDone }: { title: string; onDone: (title: string | null) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(title);
  const done = () => onDone(text.trim() && text.trim() !== title ? text.trim() : null);
  return (
    <TextInput
      className="grow"
      size="xs"
      aria-label={t("tests.name")}
      value={text}
      maxLength={120}
      autoFocus
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={done}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") done();
        else if (event.key === "Escape") onDone(null);
      }}
    />
  );
}

/** A test: how it stands, its first difference, and what can be done with it. */
export function TestRow({ test, running, onRun, onRename, onDelete }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [renaming, setRenaming] = useState(false);
  const { title, run, last_result: last } = test;
  const status = running ? "running" : !last ? "queued" : last.passed ? "finished" : "failed";
  const word = t(running ? "tests.running" : !last ? "tests.notRun" : last.passed ? "tests.passes" : "tests.fails");
  return (
    <li className={classes.test} aria-label={title} data-passed={last?.passed}>
      <div className={classes.line}>
        <span aria-hidden="true">
          <StateIcon status={status} />
        </span>
        {renaming ? (
          <TitleField
            title={title}
            onDone={(next) => {
              setRenaming(false);
              if (next) onRename?.(next);
            }}
          />
        ) : (
          <b className="truncate">{title}</b>
        )}
        <span className={classes.state} data-status={status}>
          {word}
        </span>
        <span className="grow" />
        <span className={classes.facts}>
          {last && (
            <span className="muted small" title={format.dateTime(last.at)}>
              {t("tests.on", { revision: last.revision, ago: format.ago(last.at) })}
            </span>
          )}
          {run && (
            <Anchor component={Link} to={`/runs/${run}`} size="sm">
              {t("tests.from")}
            </Anchor>
          )}
        </span>
        <span className={classes.tools}>
          {onRun && (
            <Tool label={t("tests.runOne", { title })} onClick={onRun}>
              <IconPlayerPlay size={16} />
            </Tool>
          )}
          {onRename && (
            <Tool label={t("tests.rename", { title })} onClick={() => setRenaming(true)}>
              <IconPencil size={16} />
            </Tool>
          )}
          {onDelete && (
            <Tool label={t("tests.delete", { title })} onClick={onDelete}>
              <IconTrash size={16} />
            </Tool>
          )}
        </span>
      </div>
      {last?.difference && !running && <DifferenceView difference={last.difference} />}
    </li>
  );
}
