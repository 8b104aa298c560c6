import { SegmentedControl, Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useField } from "@/shared/editor/useField";
import { LockableMultiSelect } from "@/shared/ui/LockableSelect";
import { readCondition } from "../../document/condition";
import type { GraphEdge } from "../../document/graph";
import { makeCondition, put } from "../../document/graphEdits";
import { useEditor, useGraph, useProblem } from "../context";
import { ConditionRows } from "./ConditionRows";
import { ReferenceMenu } from "./ReferenceMenu";

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
  const box = useRef<HTMLTextAreaElement>(null);
  const insert = (text: string) => {
    const at = box.current?.selectionStart ?? field.value.length;
    const end = box.current?.selectionEnd ?? at;
    field.set(field.value.slice(0, at) + text + field.value.slice(end));
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(at + text.length, at + text.length);
    });
  };
  return (
    <>
      <Textarea
        ref={box}
        label={t("graphs.expression")}
        description={t("graphs.expressionHint")}
        value={field.value}
        onChange={(event) => field.set(event.currentTarget.value)}
        error={problem}
        readOnly={locked}
        rightSection={
          !locked && (
            <ReferenceMenu node={edge.targets[0] ?? ""} field={t("graphs.expression")} expression onPick={insert} />
          )
        }
        rightSectionProps={{ style: { alignItems: "flex-start", paddingTop: 4 } }}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        data-path={`edges.${edge.index}.router`}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
      />
      <LockableMultiSelect
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

/** When an edge leads where: as rows, or as the expression that they stand for. */
export function ConditionForm({ edge }: { edge: GraphEdge }) {
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
      {condition && view === "rows" ? <ConditionRows edge={edge} condition={condition} /> : <Expression edge={edge} />}
    </>
  );
}
