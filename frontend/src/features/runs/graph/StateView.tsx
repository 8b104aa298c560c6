import { ActionIcon, Tooltip } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isCut } from "../fold";
import { AnyValue } from "../view/AnyValue";
import type { RunGraph } from "./definition";
import { EditValue } from "./EditValue";
import type { GraphFold } from "./fold";
import { differences, type State } from "./state";
import { useStateNow } from "./useStateNow";
import classes from "./Graph.module.css";

interface Props {
  run: string;
  before: State;
  after: State | null;
  /** The finished visit whose writes may be changed now. */
  editable?: { visit: string; delta: State };
}

/** State variables before and after a visit; what changed comes first and is marked. */
export function StateDiff({ run, before, after, editable }: Props) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState<string | null>(null);
  const rows = differences(before, after ?? before).sort((a, b) => Number(b.changed) - Number(a.changed));
  return (
    <dl className={classes.state}>
      {rows.map(({ name, before: old, after: value, changed }) => {
        // Of what came cut off only the beginning is here: that is no value to change.
        const written = editable && Object.hasOwn(editable.delta, name) && !isCut(editable.delta[name]);
        return (
          <div key={name} data-changed={changed || undefined}>
            <dt>
              <code>{name}</code>
              {changed && <span className={classes.changed}>{t("run.debug.changed")}</span>}
              <span className="grow" />
              {written && editing !== name && (
                <Tooltip label={t("run.debug.edit", { name })}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={t("run.debug.edit", { name })}
                    onClick={() => setEditing(name)}
                  >
                    <IconPencil size={14} />
                  </ActionIcon>
                </Tooltip>
              )}
            </dt>
            <dd>
              {changed && (
                <div className={classes.old}>
                  <span className="visually-hidden">{t("run.debug.before")}</span>
                  <AnyValue run={run} value={old} label={`${name}, ${t("run.debug.before")}`} />
                </div>
              )}
              <div className={changed ? classes.new : undefined}>
                {changed && <span className="visually-hidden">{t("run.debug.after")}</span>}
                <AnyValue run={run} value={value} label={name} />
              </div>
              {written && editing === name && (
                <EditValue
                  run={run}
                  visit={editable.visit}
                  name={name}
                  value={editable.delta[name]}
                  onDone={() => setEditing(null)}
                />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The state variables as they are while a run goes on. */
export function StateNow({ run, graph, fold }: { run: string; graph: RunGraph; fold: GraphFold }) {
  const state = useStateNow(graph, fold);
  return state && <StateDiff run={run} before={state} after={null} />;
}
