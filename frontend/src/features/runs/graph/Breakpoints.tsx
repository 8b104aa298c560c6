import { ActionIcon, Button, SegmentedControl, Select, TextInput, Tooltip } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Breakpoint } from "./breakpoints";
import { isExpression } from "./celCheck";
import classes from "./Graph.module.css";

interface Props {
  nodes: string[];
  list: Breakpoint[];
  disabled: boolean;
  onSet: (breakpoint: Breakpoint) => void;
  onClear: (node: string) => void;
}

/** The breakpoints as a list: where the run is held, and on what condition. */
export function Breakpoints({ nodes, list, disabled, onSet, onClear }: Props) {
  const { t } = useTranslation();
  const [node, setNode] = useState<string | null>(null);
  const [condition, setCondition] = useState("");
  const [wrong, setWrong] = useState(false);
  const [on, setOn] = useState<"enter" | "leave">("enter");
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!node) return;
    if (condition.trim() && !isExpression(condition)) return setWrong(true);
    onSet({ node, on, ...(condition.trim() ? { condition: condition.trim() } : {}) });
    setNode(null);
    setCondition("");
  };
  return (
    <div className={classes.stack}>
      {list.length === 0 ? (
        <p className="muted">{t("run.break.none")}</p>
      ) : (
        <ul className={classes.breakpoints} aria-label={t("run.break.list")}>
          {list.map((one) => (
            <li key={one.node} data-gone={!nodes.includes(one.node) || undefined}>
              <span className={classes.dot} aria-hidden="true" />
              <span className="grow">
                <b>{one.node}</b> <span className="muted small">{t(`run.break.${one.on ?? "enter"}`)}</span>
                {!nodes.includes(one.node) && <span className="muted small"> · {t("run.break.gone")}</span>}
                {one.condition && <code className={classes.condition}>{one.condition}</code>}
              </span>
              <Tooltip label={t("run.break.remove", { node: one.node })}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={disabled}
                  aria-label={t("run.break.remove", { node: one.node })}
                  onClick={() => onClear(one.node)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Tooltip>
            </li>
          ))}
        </ul>
      )}
      <form className={classes.breakForm} onSubmit={add}>
        <Select
          label={t("run.break.node")}
          data={nodes}
          value={node}
          onChange={setNode}
          searchable
          disabled={disabled}
        />
        <TextInput
          label={t("run.break.condition")}
          description={t("run.break.conditionHint")}
          placeholder="state.total > 100.0"
          value={condition}
          disabled={disabled}
          error={wrong ? t("run.break.noExpression") : undefined}
          onChange={(e) => {
            setCondition(e.currentTarget.value);
            setWrong(false);
          }}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("run.break.when")}
          value={on}
          disabled={disabled}
          onChange={(value) => setOn(value as "enter" | "leave")}
          data={[
            { value: "enter", label: t("run.break.enter") },
            { value: "leave", label: t("run.break.leave") },
          ]}
        />
        <div>
          <Button type="submit" variant="default" disabled={disabled || !node}>
            {t("run.break.set")}
          </Button>
        </div>
      </form>
    </div>
  );
}
