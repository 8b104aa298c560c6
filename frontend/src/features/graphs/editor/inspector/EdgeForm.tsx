import { ActionIcon, SegmentedControl, Tooltip } from "@mantine/core";
import { IconArrowRight, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import type { GraphEdge } from "../../document/graph";
import { makePlain, put } from "../../document/graphEdits";
import { useEditor, useGraph, useProblem } from "../context";
import classes from "../Editor.module.css";
import type { Actions } from "../useActions";
import { ConditionForm } from "./ConditionForm";
import { firstBranch } from "./ConditionRows";
import { DocField } from "./fields";
import { useCondition } from "./useCondition";

/** The settings of an edge: where it leads, when, and with what. */
export function EdgeForm({ edge, actions }: { edge: GraphEdge; actions: Actions }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const write = useCondition(edge);
  const { graph, locked } = useGraph();
  const own = useProblem(`edges.${edge.index}`);
  const targets = [...new Set([...graph.nodes.map(({ name }) => name), "end", ...edge.targets])];
  const [target = ""] = edge.targets;
  // Means something only where a step waits for all before it.
  const grouped =
    edge.group !== "" || graph.nodes.some(({ name, mode }) => mode === "all" && edge.targets.includes(name));
  const toCondition = () => {
    const beside = graph.edges.filter(({ source, router }) => source === edge.source && router === null);
    const others = [...beside.flatMap((one) => one.targets), ...graph.nodes.map(({ name }) => name)];
    const otherwise = others.find((name) => name !== target && name !== edge.source) ?? "end";
    write({ branches: [firstBranch(graph, target)], otherwise });
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
            <LockableSelect
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
        {grouped && (
          <DocField
            key={`${edge.index} group`}
            label={t("graphs.group")}
            description={t("graphs.groupHint")}
            path={["edges", edge.index, "group"]}
            value={edge.group}
            placeholder="all"
            optional
          />
        )}
      </div>
    </>
  );
}
