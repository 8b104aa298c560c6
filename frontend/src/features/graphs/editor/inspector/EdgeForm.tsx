import { ActionIcon, Button, MultiSelect, SegmentedControl, Select, Textarea, TextInput, Tooltip } from "@mantine/core";
import { IconArrowRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useField } from "@/shared/editor/useField";
import {
  type Branch,
  type Condition,
  conditionText,
  type Operator,
  operatorsFor,
  readCondition,
  takesValue,
  targetsOf,
} from "../../document/condition";
import type { Graph, GraphEdge } from "../../document/graph";
import { makeCondition, makePlain, put } from "../../document/graphEdits";
import { useEditor, useGraph, useProblem } from "../context";
import classes from "../Editor.module.css";
import type { Actions } from "../useActions";
import { DocField } from "./fields";

const typeOf = (graph: Graph, variable: string) => graph.state.find(({ name }) => name === variable)?.type;
const isNumber = (type: string | undefined) => type === "int" || type === "float";

/** A first row for a graph: a variable that exists, and a test that fits it. */
function firstBranch(graph: Graph, target: string): Branch {
  const variable = graph.state[0]?.name ?? "value";
  const type = typeOf(graph, variable);
  return {
    variable,
    operator: operatorsFor(type)[0]!,
    value: isNumber(type) ? "0" : "",
    number: isNumber(type),
    target,
  };
}

function Rows({ edge, condition }: { edge: GraphEdge; condition: Condition }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { graph, locked } = useGraph();
  const targets = [...graph.nodes.map(({ name }) => name), "end"];
  const write = (next: Condition, key = "") =>
    edit(makeCondition(edge.index, conditionText(next), targetsOf(next)), key && `edges.${edge.index}.${key}`);
  const change = (index: number, some: Partial<Branch>, key = "") =>
    write(
      { ...condition, branches: condition.branches.map((one, i) => (i === index ? { ...one, ...some } : one)) },
      key,
    );
  const pickVariable = (index: number, variable: string) => {
    const type = typeOf(graph, variable);
    const branch = condition.branches[index]!;
    const operators = operatorsFor(type);
    const operator = operators.includes(branch.operator) ? branch.operator : operators[0]!;
    const number = isNumber(type);
    change(index, {
      variable,
      operator,
      number,
      value: number && !Number.isFinite(Number(branch.value || "x")) ? "0" : branch.value,
    });
  };
  return (
    <div className={classes.branches}>
      {condition.branches.map((branch, index) => {
        const type = typeOf(graph, branch.variable);
        const n = index + 1;
        return (
          <div key={index} className={classes.branch} role="group" aria-label={t("graphs.branch", { n })}>
            <div className="row" style={{ justifyContent: "space-between" }}>
              <b className="small">{t(index === 0 ? "graphs.if" : "graphs.elseIf")}</b>
              {!locked && condition.branches.length > 1 && (
                <Tooltip label={t("graphs.removeBranch", { n })}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={t("graphs.removeBranch", { n })}
                    onClick={() => write({ ...condition, branches: condition.branches.filter((_, i) => i !== index) })}
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </Tooltip>
              )}
            </div>
            <Select
              aria-label={t("graphs.variable")}
              data={[...new Set([...graph.state.map(({ name }) => name), branch.variable])].filter(Boolean)}
              value={branch.variable}
              searchable
              readOnly={locked}
              onChange={(next) => next && pickVariable(index, next)}
            />
            <div className="row" style={{ alignItems: "flex-start" }}>
              <Select
                aria-label={t("graphs.operator")}
                style={{ flex: 1 }}
                data={[...new Set([...operatorsFor(type), branch.operator])].map((value) => ({
                  value,
                  label: t(`graphs.operators.${names[value]}`),
                }))}
                value={branch.operator}
                readOnly={locked}
                onChange={(next) => change(index, { operator: next as Operator })}
              />
              {takesValue(branch.operator) && (
                <ValueField
                  branch={branch}
                  index={index}
                  onChange={(value) => change(index, { value }, `value${index}`)}
                />
              )}
            </div>
            <div className="row">
              <IconArrowRight size={15} aria-hidden="true" className="muted" />
              <Select
                aria-label={t("graphs.targetOf", { n })}
                style={{ flex: 1 }}
                data={targets}
                value={branch.target}
                searchable
                readOnly={locked}
                onChange={(next) => next && change(index, { target: next })}
              />
            </div>
          </div>
        );
      })}
      {!locked && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            write({ ...condition, branches: [...condition.branches, firstBranch(graph, condition.otherwise)] })
          }
        >
          {t("graphs.addBranch")}
        </Button>
      )}
      <Select
        label={t("graphs.otherwise")}
        data={targets}
        value={condition.otherwise}
        searchable
        readOnly={locked}
        onChange={(next) => next && write({ ...condition, otherwise: next })}
      />
    </div>
  );
}

const names = {
  "==": "equal",
  "!=": "unequal",
  ">": "more",
  ">=": "atLeast",
  "<": "less",
  "<=": "atMost",
  contains: "contains",
  has: "has",
  starts: "starts",
  ends: "ends",
  matches: "matches",
  empty: "empty",
  filled: "filled",
  true: "true",
  false: "false",
} as const;

function ValueField({ branch, onChange }: { branch: Branch; index: number; onChange: (value: string) => boolean }) {
  const { t } = useTranslation();
  const { locked } = useGraph();
  const fits = (text: string) => !branch.number || /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  const field = useField(branch.value, (text) => (fits(text) ? onChange(text) : true));
  return (
    <TextInput
      aria-label={t("form.value")}
      style={{ flex: 1 }}
      value={field.value}
      readOnly={locked}
      inputMode={branch.number ? "decimal" : undefined}
      error={fits(field.value) ? undefined : t("run.wantsNumber")}
      onChange={(event) => field.set(event.currentTarget.value)}
    />
  );
}

function Expression({ edge }: { edge: GraphEdge }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { graph, locked } = useGraph();
  const base = ["edges", edge.index];
  const problem = useProblem(`edges.${edge.index}.router`);
  const targetProblem = useProblem(`edges.${edge.index}.possible_targets`, true);
  const field = useField(edge.router ?? "", (text) =>
    edit(put([...base, "router"], text), `edges.${edge.index}.router`),
  );
  return (
    <>
      <Textarea
        label={t("graphs.expression")}
        description={t("graphs.expressionHint")}
        value={field.value}
        onChange={(event) => field.set(event.currentTarget.value)}
        error={problem}
        readOnly={locked}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        data-path={`edges.${edge.index}.router`}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
      />
      <MultiSelect
        label={t("graphs.targets")}
        data={[...new Set([...graph.nodes.map(({ name }) => name), "end", ...edge.targets])]}
        value={edge.targets}
        error={targetProblem}
        searchable
        readOnly={locked}
        onChange={(next) => next.length > 0 && edit(makeCondition(edge.index, edge.router ?? "", next))}
      />
    </>
  );
}

function ConditionForm({ edge }: { edge: GraphEdge }) {
  const { t } = useTranslation();
  const condition = readCondition(edge.router ?? "");
  const [asText, setAsText] = useState(false);
  const view = condition && !asText ? "rows" : "text";
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        value={view}
        aria-label={t("graphs.conditionAs")}
        onChange={(next) => setAsText(next === "text")}
        data={[
          { value: "rows", label: t("graphs.asRows"), disabled: !condition },
          { value: "text", label: t("graphs.asExpression") },
        ]}
      />
      {!condition && <p className="muted small">{t("graphs.notRows")}</p>}
      {condition && view === "rows" ? <Rows edge={edge} condition={condition} /> : <Expression edge={edge} />}
    </>
  );
}

/** The settings of an edge: where it leads, when, and with what. */
export function EdgeForm({ edge, actions }: { edge: GraphEdge; actions: Actions }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { graph, locked } = useGraph();
  const own = useProblem(`edges.${edge.index}`);
  const targets = [...new Set([...graph.nodes.map(({ name }) => name), "end", ...edge.targets])];
  const [target = ""] = edge.targets;
  const toCondition = () => {
    const other = graph.nodes.map(({ name }) => name).find((name) => name !== target && name !== edge.source) ?? "end";
    const condition = { branches: [firstBranch(graph, target)], otherwise: other };
    edit(makeCondition(edge.index, conditionText(condition), targetsOf(condition)));
  };
  return (
    <>
      <div className={classes.inspectorHead}>
        <IconArrowRight size={18} aria-hidden="true" />
        <div className="grow">
          <h2 className="truncate">
            {edge.source} → {edge.targets.join(", ")}
          </h2>
          <p className="muted small">{t("graphs.edge")}</p>
        </div>
        {!locked && (
          <Tooltip label={t("graphs.deleteEdge")}>
            <ActionIcon variant="subtle" color="gray" aria-label={t("graphs.deleteEdge")} onClick={actions.remove}>
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <div className={classes.fields}>
        {own && (
          <p className={classes.problem} role="alert">
            {own}
          </p>
        )}
        <SegmentedControl
          fullWidth
          size="xs"
          readOnly={locked}
          value={edge.router === null ? "plain" : "condition"}
          aria-label={t("graphs.edgeKind")}
          onChange={(kind) => (kind === "plain" ? edit(makePlain(edge.index, target)) : toCondition())}
          data={[
            { value: "plain", label: t("graphs.always") },
            { value: "condition", label: t("graphs.condition") },
          ]}
        />
        {edge.router === null ? (
          <>
            <Select
              label={t("graphs.target")}
              data={targets}
              value={target || null}
              searchable
              readOnly={locked}
              onChange={(next) => next && edit(put(["edges", edge.index, "target"], next))}
            />
            <DocField
              key={`${edge.index} filter`}
              label={t("graphs.filter")}
              description={t("graphs.filterHint")}
              path={["edges", edge.index, "filter"]}
              value={edge.filter}
              placeholder="{'total': state.total}"
              optional
              mono
              lines
            />
          </>
        ) : (
          <ConditionForm key={edge.index} edge={edge} />
        )}
        <DocField
          key={`${edge.index} group`}
          label={t("graphs.group")}
          description={t("graphs.groupHint")}
          path={["edges", edge.index, "group"]}
          value={edge.group}
          placeholder="all"
          optional
        />
      </div>
    </>
  );
}
