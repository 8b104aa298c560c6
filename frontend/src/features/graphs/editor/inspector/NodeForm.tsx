import { ActionIcon, Checkbox, Menu, SegmentedControl } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { iconOf } from "../../canvas/kinds";
import type { GraphNode } from "../../document/graph";
import { put, together } from "../../document/graphEdits";
import type { Schema } from "../../document/shape";
import { useCalls, useEditor, useGraph, useProblem } from "../context";
import classes from "../Editor.module.css";
import { NodeMenuItems } from "../NodeMenu";
import type { Actions } from "../useActions";
import { DocField } from "./fields";
import { NameField } from "./NameField";
import { Outputs } from "./Outputs";
import { SettingField } from "./SettingField";
import { useSources } from "./sources";

function Flag({ node, field, on, otherwise }: { node: GraphNode; field: string; on: boolean; otherwise: boolean }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  return (
    <Checkbox
      label={t(`graphs.flag.${field as "to_user"}`)}
      description={t(`graphs.flagHint.${field as "to_user"}`)}
      checked={on}
      disabled={locked}
      onChange={(event) => {
        const next = event.currentTarget.checked;
        const flag = put(["nodes", node.name, field], next === otherwise ? null : next);
        // What a model says to the user belongs to the conversation, or nobody would read it there.
        const lost =
          field === "to_user" && next && node.call === "LLM" && node.outputs.every(([to]) => to !== "messages");
        edit(lost ? together(flag, put(["nodes", node.name, "outputs", "messages"], "text")) : flag);
      }}
    />
  );
}

/** The settings of a step, made from its kind's schema. */
export function NodeForm({ node, actions }: { node: GraphNode; actions: Actions }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const calls = useCalls();
  const call = calls.find(({ name }) => name === node.call);
  const Kind = iconOf(node.call);
  const own = useProblem(`nodes.${node.name}`);
  const callProblem = useProblem(`nodes.${node.name}.call`);
  const problem = own ?? callProblem;
  const sources = useSources([node]);
  const schemas = (call?.settings.properties ?? {}) as Record<string, Schema>;
  const definitions = (call?.settings.$defs ?? {}) as Record<string, Schema>;
  const properties = Object.entries(schemas).filter(([name]) => name !== "to_user" && name !== "enable_filling");
  const required = (call?.settings.required ?? []) as string[];
  return (
    <>
      <div className={classes.inspectorHead}>
        <Kind size={18} aria-hidden="true" />
        <div className="grow">
          <h2 className="truncate">{node.label || node.name}</h2>
          <p className="muted small truncate" title={call?.description}>
            {call ? call.label : node.call}
          </p>
        </div>
        {!locked && (
          <Menu width={220}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t("graphs.nodeMenu", { name: node.name })}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <NodeMenuItems name={node.name} actions={actions} />
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <div className={classes.fields}>
        {problem && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        <NameField key={node.name} node={node} actions={actions} />
        {properties.map(([name, schema]) => (
          <SettingField
            key={`${node.name} ${name}`}
            node={node}
            name={name}
            schema={schema}
            schemas={schemas}
            definitions={definitions}
            sources={sources}
            required={required.includes(name)}
          />
        ))}
        <Outputs node={node} />
        <fieldset className={classes.rows}>
          <legend>{t("graphs.behaviour")}</legend>
          <div>
            <span className={classes.fieldLabel}>{t("graphs.mode")}</span>
            <SegmentedControl
              fullWidth
              size="xs"
              value={node.mode}
              readOnly={locked}
              aria-label={t("graphs.mode")}
              data={[
                { value: "any", label: t("graphs.modeAny") },
                { value: "all", label: t("graphs.modeAll") },
              ]}
              onChange={(mode) => edit(put(["nodes", node.name, "action_mode"], mode === "any" ? null : mode))}
            />
          </div>
          {node.mode === "all" && <Flag node={node} field="partial_join" on={node.partialJoin} otherwise={false} />}
          <Flag node={node} field="to_user" on={node.toUser} otherwise={false} />
          <Flag node={node} field="repeatable" on={node.repeatable} otherwise={true} />
          <Flag node={node} field="enable_filling" on={node.filling} otherwise={false} />
        </fieldset>
        <DocField
          key={`${node.name} label`}
          label={t("graphs.label")}
          description={t("graphs.labelHint")}
          path={["nodes", node.name, "label"]}
          value={node.label}
          optional
        />
        <DocField
          key={`${node.name} description`}
          label={t("graphs.description")}
          path={["nodes", node.name, "description"]}
          value={node.description}
          optional
          lines
        />
      </div>
    </>
  );
}
