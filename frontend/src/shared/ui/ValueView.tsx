import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fromPlain, type JsonNode } from "@/shared/json/exact";
import { JsonTree } from "./JsonTree";
import classes from "./ValueView.module.css";

const LONG = 240;

/** A long text: its beginning, and all of it when asked for. */
function LongText({ text, quoted }: { text: string; quoted: boolean }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const quote = quoted ? '"' : "";
  if (text.length <= LONG)
    return (
      <>
        {quote}
        {text}
        {quote}
      </>
    );
  return (
    <>
      {quote}
      {all ? text : text.slice(0, LONG)}
      {all ? quote : "…"}{" "}
      <button type="button" className={classes.toggle} onClick={() => setAll(!all)}>
        {all ? t("tree.less") : t("tree.all", { count: text.length })}
      </button>
    </>
  );
}

/** One value. Null, an empty text and an empty list never look the same. */
export function Scalar({ node, quoted = true }: { node: JsonNode; quoted?: boolean }) {
  const { t } = useTranslation();
  switch (node.kind) {
    case "string":
      if (node.value === "")
        return (
          <span className={classes.empty}>
            {'""'} <i>{t("value.emptyText")}</i>
          </span>
        );
      return (
        <span className={classes.string}>
          <LongText text={node.value} quoted={quoted} />
        </span>
      );
    case "number":
      return (
        <span className={classes.number}>
          <LongText text={node.text} quoted={false} />
        </span>
      );
    case "boolean":
      return <span className={classes.number}>{String(node.value)}</span>;
    case "null":
      return <span className={classes.nothing}>null</span>;
    case "array":
      return (
        <span className={classes.empty}>
          [] <i>{t("value.emptyList")}</i>
        </span>
      );
    case "object":
      return (
        <span className={classes.empty}>
          {"{}"} <i>{t("value.emptyObject")}</i>
        </span>
      );
  }
}

/** Any value: a line for a scalar, a tree for the rest. */
export function ValueView({ value, label, open = 1 }: { value: unknown; label: string; open?: number }) {
  const node = fromPlain(value);
  const branch =
    (node.kind === "object" && node.entries.length > 0) || (node.kind === "array" && node.items.length > 0);
  if (branch) return <JsonTree node={node} label={label} open={open} />;
  return (
    <span className="mono">
      <Scalar node={node} />
    </span>
  );
}
