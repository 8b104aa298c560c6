import { IconChevronRight, IconTable } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { JsonNode } from "@/shared/json/exact";
import { isObjectList } from "@/shared/json/lists";
import { pathTo } from "@/shared/json/paths";
import { Scalar } from "./ValueView";
import classes from "./JsonTree.module.css";

const CHUNK = 100;
const INDENT = 16;
const DEEPEST_INDENT = 24;

function childrenOf(node: JsonNode): [string, JsonNode][] {
  if (node.kind === "object") return node.entries;
  if (node.kind === "array") return node.items.map((item, index) => [String(index), item]);
  return [];
}

function useSummary(node: JsonNode): string {
  const { t } = useTranslation();
  if (node.kind === "object") return node.entries.length ? t("tree.fields", { count: node.entries.length }) : "{}";
  if (node.kind === "array") return node.items.length ? t("tree.items", { count: node.items.length }) : "[]";
  return "";
}

interface BranchProps {
  name: string | null;
  path: string;
  onPick?: (path: string) => void;
  onTable?: (path: string) => void;
  node: JsonNode;
  depth: number;
  open: number;
}

function Branch({ name, path, onPick, onTable, node, depth, open }: BranchProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(depth < open);
  const [limit, setLimit] = useState(CHUNK);
  const summary = useSummary(node);
  const children = childrenOf(node);
  const pad = { paddingLeft: Math.min(depth, DEEPEST_INDENT) * INDENT };
  const isList = node.kind === "array";
  if (children.length === 0) {
    const shown = (
      <>
        <span className={classes.space} />
        {name !== null && <span className={classes.key}>{name}</span>}
        {node.kind === "object" || isList ? <span className="muted">{summary}</span> : <Scalar node={node} />}
      </>
    );
    return onPick && name !== null ? (
      <button type="button" className={classes.row} style={pad} title={path} onClick={() => onPick(path)}>
        {shown}
      </button>
    ) : (
      <div className={classes.row} style={pad}>
        {shown}
      </div>
    );
  }
  const tabular = onTable !== undefined && isObjectList(node);
  return (
    <>
      <div className={classes.line}>
        <button
          type="button"
          className={classes.row}
          style={pad}
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        >
          <IconChevronRight size={14} className={classes.chevron} aria-hidden="true" />
          {name !== null && <span className={classes.key}>{name}</span>}
          <span className="muted">{summary}</span>
        </button>
        {tabular && (
          <button
            type="button"
            className={classes.tool}
            title={t("tree.asTable")}
            aria-label={path ? t("tree.asTableOf", { path }) : t("tree.asTable")}
            onClick={() => onTable(path)}
          >
            <IconTable size={14} aria-hidden="true" />
          </button>
        )}
      </div>
      {shown &&
        children
          .slice(0, limit)
          .map(([key, child], index) => (
            <Branch
              key={index}
              name={isList ? `[${key}]` : key}
              path={pathTo(path, isList ? index : key)}
              onPick={onPick}
              onTable={onTable}
              node={child}
              depth={depth + 1}
              open={open}
            />
          ))}
      {shown && children.length > limit && (
        <button type="button" className={classes.more} style={pad} onClick={() => setLimit(limit + CHUNK)}>
          {t("tree.more", { count: Math.min(CHUNK, children.length - limit), left: children.length - limit })}
        </button>
      )}
    </>
  );
}

interface Props {
  node: JsonNode;
  label: string;
  open?: number;
  /** A click on a value: its path in the tree. */
  onPick?: (path: string) => void;
  /** Shows a list of objects as a table: its path. */
  onTable?: (path: string) => void;
}

/** A value as a tree. Branches are made when they are opened, long lists in pieces. */
export function JsonTree({ node, label, open = 2, onPick, onTable }: Props) {
  return (
    <div className={classes.tree} role="group" aria-label={label}>
      <Branch name={null} path="" onPick={onPick} onTable={onTable} node={node} depth={0} open={open} />
    </div>
  );
}
