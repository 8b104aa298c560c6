import { useTranslation } from "react-i18next";
import { type Plain } from "@/shared/yaml/plain";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import { pathText, textOf } from "../../../document/graph";
import { put } from "../../../document/graphEdits";
import { choicesOf, type Schema, type Way } from "../../../document/shape";
import { useEditor, useGraph, useProblem } from "../../context";
import { DocField } from "../fields";
import type { ValueProps } from "./way";

interface Props extends ValueProps {
  way: Way;
  hideLabel?: boolean;
  description?: string;
  /** What stands for it while nothing is written. */
  fallback?: string;
}

/** A value of a few fixed ones; what is given up is taken out of the document. */
function PickLeaf(props: Props & { choices: { text: string; label: string; value: Parameters<typeof put>[1] }[] }) {
  const { label, hideLabel, description, path, value, optional, choices, fallback, schema } = props;
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { locked } = useGraph();
  const problem = useProblem(pathText(path), true);
  const now = textOf(value);
  const known = choices.some(({ text }) => text === now) || now === "";
  const standard = schema.default !== undefined && schema.default !== null ? String(schema.default) : null;
  return (
    <LockableSelect
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      description={description}
      data={[...choices.map((one) => ({ value: one.text, label: one.label })), ...(known ? [] : [now])]}
      value={now || standard}
      placeholder={fallback ?? t("run.notGiven")}
      readOnly={locked}
      error={problem}
      data-path={pathText(path)}
      clearable={optional && standard === null}
      clearButtonProps={{ "aria-label": t("common.clear") }}
      onChange={(next) => {
        const choice = choices.find(({ text }) => text === next);
        edit(put(path, !choice || (optional && choice.text === standard) ? null : choice.value));
      }}
    />
  );
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What is wrong with a number that is typed; a reference may stand for one in a template. */
function useWrongNumber(schema: Schema, template: boolean): (text: string) => string | undefined {
  const { t } = useTranslation();
  const { type, minimum, maximum } = schema;
  return (text) => {
    if (text === "" || type === "string" || (template && text.includes("${"))) return undefined;
    if (!NUMBER.test(text)) return t(type === "integer" ? "run.wantsInteger" : "run.wantsNumber");
    if (type === "integer" && !/^-?\d+$/.test(text)) return t("run.wantsInteger");
    if (minimum !== undefined && Number(text) < minimum) return t("graphs.atLeastN", { n: minimum });
    return maximum !== undefined && Number(text) > maximum ? t("graphs.atMostN", { n: maximum }) : undefined;
  };
}

const hasLines = (plain: Plain | undefined) => plain !== undefined && "text" in plain && plain.text.includes("\n");

/** A value that is one thing: a text, a number, yes or no, one of several. */
export function Leaf(props: Props) {
  const { label, hideLabel, description, path, value, way, node, kind, optional, fallback } = props;
  const { t } = useTranslation();
  const template = kind === "template";
  const wrong = useWrongNumber(way.schema, template);
  if (way.shape === "bool") {
    const choices = [true, false].map((one) => ({
      text: String(one),
      label: t(one ? "graphs.yes" : "graphs.no"),
      value: one,
    }));
    return <PickLeaf {...props} choices={choices} />;
  }
  if (way.shape === "choice") {
    const labels = way.schema["x-options"] ?? {};
    const choices = choicesOf(way.schema).map((one) => ({ ...one, label: labels[one.text] ?? one.text }));
    return <PickLeaf {...props} choices={choices} />;
  }
  const number = way.shape === "number";
  return (
    <DocField
      label={label}
      hideLabel={hideLabel}
      description={description}
      path={path}
      value={textOf(value)}
      optional={optional}
      number={number}
      wrong={number ? wrong : undefined}
      mono={kind === "expression"}
      placeholder={fallback ?? (kind === "expression" ? "state.total * 2.0" : undefined)}
      lines={way.schema["x-widget"] === "text" || hasLines(value)}
      references={template || kind === "expression" ? node : undefined}
    />
  );
}
