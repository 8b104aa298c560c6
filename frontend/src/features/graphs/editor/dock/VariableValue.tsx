import { ActionIcon, Tooltip } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EditValue } from "@/features/runs/graph/EditValue";
import { writerOf } from "@/features/runs/graph/valueKind";
import { ValueView } from "@/shared/ui/ValueView";
import type { Watched } from "../run/watched";
import classes from "./Dock.module.css";

/** What is in a variable, with a pencil while the run is paused; where it can't be changed the pencil says why. */
export function VariableValue({ watched, name, value }: { watched: Watched; name: string; value: unknown }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const { state, inspected, paused, past } = watched;
  const offered = paused && !past;
  const writer = offered ? writerOf(inspected.fold, name) : null;
  const why = !writer ? t("run.debug.noWriter") : writer.whole ? null : t("run.debug.cutValue");
  const label = why ?? t("run.debug.edit", { name });
  return (
    <>
      <div className={classes.editable}>
        <div className="grow">
          <ValueView value={value} label={name} />
        </div>
        {offered && !(editing && writer) && (
          <Tooltip label={label} multiline maw={280}>
            <ActionIcon
              className={classes.pencil}
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={why ? `${t("run.debug.edit", { name })}: ${why}` : label}
              aria-disabled={why !== null}
              data-disabled={why !== null || undefined}
              onClick={() => why === null && setEditing(true)}
            >
              <IconPencil size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {offered && editing && writer && (
        <>
          <p className="muted small">{t("run.debug.writtenBy", { node: writer.visit.node })}</p>
          <EditValue
            run={state.row.id}
            visit={writer.visit.id}
            name={name}
            value={writer.visit.delta[name]}
            onDone={() => setEditing(false)}
          />
        </>
      )}
    </>
  );
}
