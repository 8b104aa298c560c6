import { ActionIcon, Button, Checkbox, TextInput, Tooltip } from "@mantine/core";
import { IconHierarchy2, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePending } from "@/shared/editor/useField";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import { LIMITS, type StateVariable, TYPES, UPDATES } from "../../document/graph";
import { addVariable, put, remove, renameVariable, setInput } from "../../document/graphEdits";
import { isVariableName, normalName } from "../../document/names";
import { useEditor, useGraph, useProblem } from "../context";
import classes from "../Editor.module.css";
import { DocField } from "./fields";

function Variable({ variable, index }: { variable: StateVariable; index: number }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { graph, locked } = useGraph();
  const [name, setName] = useState<string | null>(null);
  const problem = useProblem(`state.${index}`, true);
  const typed = name ?? variable.name;
  const shown = name === null ? variable.name : normalName(name);
  const taken = shown !== variable.name && graph.state.some((one) => one.name === shown);
  const wrong = !isVariableName(shown);
  const base = ["state", index];
  const commit = () => {
    setName(null);
    if (shown !== variable.name && !wrong && !taken) edit(renameVariable(index, shown));
  };
  usePending(name === null ? null : commit);
  const take = () => {
    const input = graph.inputs.includes(variable.name);
    if (input) edit(setInput(variable.name, false));
    edit(remove(base));
  };
  return (
    <div className={classes.variable} role="group" aria-label={t("graphs.variableNamed", { name: variable.name })}>
      <div className="row" style={{ alignItems: "flex-start" }}>
        <TextInput
          aria-label={t("graphs.variableName")}
          value={typed}
          readOnly={locked}
          spellCheck={false}
          style={{ flex: 1 }}
          data-path={`state.${index}.name`}
          error={taken ? t("graphs.nameTaken") : wrong ? t("graphs.variableNameWrong") : problem}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => event.key === "Enter" && commit()}
        />
        {!locked && (
          <Tooltip label={t("form.remove", { name: variable.name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t("form.remove", { name: variable.name })}
              onClick={take}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <div className="row">
        <LockableSelect
          label={t("graphs.type")}
          style={{ flex: 1 }}
          data={[...new Set([...TYPES, variable.type])].map((value) => ({
            value,
            label: (TYPES as readonly string[]).includes(value) ? t(`graphs.types.${value as "str"}`) : value,
          }))}
          value={variable.type}
          readOnly={locked}
          onChange={(type) => type && edit(put([...base, "type"], type))}
        />
        <LockableSelect
          label={t("graphs.update")}
          style={{ flex: 1 }}
          data={[...new Set([...UPDATES, variable.update])].map((value) => ({
            value,
            label: (UPDATES as readonly string[]).includes(value) ? t(`graphs.updates.${value as "add"}`) : value,
          }))}
          value={variable.update}
          readOnly={locked}
          onChange={(update) => update && edit(put([...base, "update"], update))}
        />
      </div>
      <DocField
        label={t("graphs.variableDescription", { name: variable.name })}
        hideLabel
        placeholder={t("graphs.description")}
        path={[...base, "description"]}
        value={variable.description}
        optional
      />
      <Checkbox
        label={t("graphs.asked")}
        checked={graph.inputs.includes(variable.name)}
        disabled={locked}
        onChange={(event) => edit(setInput(variable.name, event.currentTarget.checked))}
      />
    </div>
  );
}

/** The graph as a whole: what it is for, its variables, its limits. */
export function GraphForm() {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { graph, locked } = useGraph();
  const entryProblem = useProblem("entry");
  return (
    <>
      <div className={classes.inspectorHead}>
        <IconHierarchy2 size={18} aria-hidden="true" />
        <div className="grow">
          <h2 className="truncate">{graph.name}</h2>
          <p className="muted small">{t("graphs.wholeGraph")}</p>
        </div>
      </div>
      <div className={classes.fields}>
        <DocField label={t("graphs.description")} path={["description"]} value={graph.description} optional lines />
        <section aria-label={t("graphs.variables")} className={classes.section}>
          <div className="row" style={{ justifyContent: "space-between" }}>
            <h3>{t("graphs.variables")}</h3>
            {!locked && (
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPlus size={14} />}
                onClick={() => {
                  const path = `state.${graph.state.length}.name`;
                  if (!edit(addVariable)) return;
                  requestAnimationFrame(() =>
                    document.querySelector<HTMLInputElement>(`[data-path="${path}"]`)?.select(),
                  );
                }}
              >
                {t("graphs.addVariable")}
              </Button>
            )}
          </div>
          <p className="muted small">{t("graphs.variablesHint")}</p>
          {graph.state.map((variable, index) => (
            <Variable key={index} variable={variable} index={index} />
          ))}
        </section>
        {graph.nodes.length > 0 && (
          <LockableSelect
            label={t("graphs.entryStep")}
            data={[...new Set([...graph.nodes.map(({ name }) => name), graph.entry])].filter(Boolean)}
            value={graph.entry || null}
            searchable
            readOnly={locked}
            error={entryProblem}
            onChange={(next) => next && edit(put(["entry"], next))}
          />
        )}
        <Checkbox
          label={t("graphs.conversation")}
          description={t("graphs.conversationHint")}
          checked={graph.inputs.includes("messages")}
          disabled={locked}
          onChange={(event) => edit(setInput("messages", event.currentTarget.checked))}
        />
        <section aria-label={t("graphs.limits")} className={classes.section}>
          <h3>{t("graphs.limits")}</h3>
          <p className="muted small">{t("graphs.limitsHint")}</p>
          <div className={classes.limits}>
            {LIMITS.map((limit) => (
              <DocField
                key={limit}
                label={t(`graphs.limit.${limit}`)}
                path={[limit]}
                value={graph.limits[limit]}
                optional
                number
              />
            ))}
          </div>
        </section>
      </div>
    </>
  );
}
