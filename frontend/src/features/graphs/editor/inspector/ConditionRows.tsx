import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import {
  type Branch,
  type Condition,
  type Operator,
  operatorsFor,
  takesValue,
  targetsOf,
} from "../../document/condition";
import type { Graph, GraphEdge, StateVariable } from "../../document/graph";
import type { GraphEdit } from "../../document/graphEdits";
import { typeOfState } from "../../document/outputs";
import { useGraph } from "../context";
import classes from "../Editor.module.css";
import { ConditionValue } from "./ConditionValue";
import { useCondition } from "./useCondition";
import { useOutputsToKeep } from "./useOutputsToKeep";

const typeOf = (graph: Graph, variable: string) => graph.state.find(({ name }) => name === variable)?.type;
const isNumber = (type: string | undefined) => type === "int" || type === "float";

/** A first row for a graph: a variable that exists, and a test that fits it. */
export function firstBranch(graph: Graph, target: string): Branch {
  // Numbers are asked about most, and what a step found out more often than what the run was given.
  const worth = (one: StateVariable) => Number(isNumber(one.type)) * 2 + Number(!graph.inputs.includes(one.name));
  const variable = [...graph.state].sort((a, b) => worth(b) - worth(a))[0]?.name ?? "";
  const type = typeOf(graph, variable);
  return {
    variable,
    operator: operatorsFor(type)[0]!,
    value: isNumber(type) ? "0" : "",
    number: isNumber(type),
    target,
  };
}

/** The branches of a condition as rows: variable, comparison, value, target. */
export function ConditionRows({ edge, condition }: { edge: GraphEdge; condition: Condition }) {
  const { t } = useTranslation();
  const { graph, locked } = useGraph();
  const targets = [...graph.nodes.map(({ name }) => name), "end"];
  const write = useCondition(edge);
  const change = (index: number, some: Partial<Branch>, key = "", also?: GraphEdit) =>
    write(
      { ...condition, branches: condition.branches.map((one, i) => (i === index ? { ...one, ...some } : one)) },
      key,
      also,
    );
  const { left, keep } = useOutputsToKeep(edge.source);
  const pickVariable = (index: number, picked: string) => {
    const kept = keep(picked);
    const variable = kept?.name ?? picked;
    const type = kept?.type ?? typeOf(graph, variable);
    const branch = condition.branches[index]!;
    const operators = operatorsFor(type);
    const operator = operators.includes(branch.operator) ? branch.operator : operators[0]!;
    const number = isNumber(type);
    const value = number && !Number.isFinite(Number(branch.value || "x")) ? "0" : branch.value;
    change(index, { variable, operator, number, value }, "", kept?.edit);
  };
  const titles = new Map(graph.nodes.map(({ name, label }) => [name, label]));
  const leads = [...new Set([...targets, ...targetsOf(condition)])].map((name) => ({
    value: name,
    label: name === "end" ? t("graphs.end") : titles.get(name) || name,
  }));
  return (
    <div className={classes.branches}>
      <p className={classes.hint}>
        {t(left.length > 0 ? "graphs.conditionKeeps" : "graphs.conditionAsks", {
          node: titles.get(edge.source) || edge.source,
        })}
      </p>
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
            <LockableSelect
              label={t("graphs.variable")}
              placeholder={t("graphs.pickVariable")}
              data={[
                {
                  group: t("graphs.variables"),
                  items: [...new Set([...graph.state.map(({ name }) => name), branch.variable])].filter(Boolean),
                },
                {
                  group: t("graphs.keepOutput", { node: titles.get(edge.source) || edge.source }),
                  items: left,
                },
              ]}
              value={branch.variable || null}
              searchable
              renderOption={({ option }) => {
                const kind = typeOfState(keep(option.value)?.type ?? typeOf(graph, option.value) ?? "");
                return (
                  <span className="row" style={{ justifyContent: "space-between", flex: 1 }}>
                    {option.label}
                    {kind !== "any" && <span className="muted small">{t(`graphs.types.${kind}`)}</span>}
                  </span>
                );
              }}
              readOnly={locked}
              onChange={(next) => next && pickVariable(index, next)}
            />
            <div className="row" style={{ alignItems: "flex-start" }}>
              <LockableSelect
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
                <ConditionValue branch={branch} onChange={(value) => change(index, { value }, `value${index}`)} />
              )}
            </div>
            <LockableSelect
              label={t("graphs.thenTo")}
              aria-label={t("graphs.targetOf", { n })}
              data={leads}
              value={branch.target}
              searchable
              readOnly={locked}
              onChange={(next) => next && change(index, { target: next })}
            />
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
      <LockableSelect
        label={t("graphs.otherwise")}
        data={leads}
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
