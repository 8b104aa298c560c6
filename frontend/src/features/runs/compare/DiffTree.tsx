import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { JsonNode } from "@/shared/json/exact";
import { Scalar } from "@/shared/ui/ValueView";
import classes from "./Compare.module.css";
import { type DiffNode, diffOf, textParts } from "./treeDiff";

const CHUNK = 100;
const INDENT = 14;
const DEEPEST = 16;
/** Shorter texts are read at a glance: marking their letters would only unsettle. */
const SHORT = 40;
/** How much of what is shared stands around what differs in a long text. */
const AROUND = 60;
const LONG = 400;

/** A text of which only a part differs: that part is marked. */
function Text({ before, own, after }: { before: string; own: string; after: string }) {
  const cut = own.length > LONG ? `${own.slice(0, LONG)}…` : own;
  return (
    <span className={classes.text}>
      {before.length > AROUND ? `…${before.slice(-AROUND)}` : before}
      {cut !== "" && <mark>{cut}</mark>}
      {after.length > AROUND ? `${after.slice(0, AROUND)}…` : after}
    </span>
  );
}

function Value({ node, other, side }: { node: JsonNode | null; other: JsonNode | null; side: "left" | "right" }) {
  const { t } = useTranslation();
  if (!node) return <span className={classes.none}>{t("compare.nothing")}</span>;
  const texts = node.kind === "string" && other?.kind === "string" && node.value !== "" && other.value !== "";
  if (texts && node.value !== other.value && Math.max(node.value.length, other.value.length) > SHORT) {
    const parts = side === "left" ? textParts(node.value, other.value) : textParts(other.value, node.value);
    return <Text before={parts.before} own={parts[side]} after={parts.after} />;
  }
  if (node.kind === "object" && node.entries.length > 0)
    return <span className="muted">{t("tree.fields", { count: node.entries.length })}</span>;
  if (node.kind === "array" && node.items.length > 0)
    return <span className="muted">{t("tree.items", { count: node.items.length })}</span>;
  return <Scalar node={node} />;
}

function Branch({ node, depth, title }: { node: DiffNode; depth: number; title: string }) {
  const { t } = useTranslation();
  const children = node.children();
  const [open, setOpen] = useState(node.mark !== "same" && (depth === 0 || node.mark === "changed"));
  const [most, setMost] = useState(CHUNK);
  const name = node.name ?? title;
  const pad = { paddingLeft: Math.min(depth, DEEPEST) * INDENT };
  return (
    <>
      <div className={classes.diffRow} data-mark={node.mark}>
        <span className={classes.name} style={pad}>
          {children.length > 0 ? (
            <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
              <IconChevronRight size={14} aria-hidden="true" />
              {name}
            </button>
          ) : (
            <span className={classes.leaf}>{name}</span>
          )}
          {node.mark !== "same" && <span className="visually-hidden">{t(`compare.mark.${node.mark}`)}</span>}
        </span>
        <span className={classes.value}>
          <Value node={node.left} other={node.right} side="left" />
        </span>
        <span className={classes.value}>
          <Value node={node.right} other={node.left} side="right" />
        </span>
      </div>
      {open &&
        children
          .slice(0, most)
          .map((child, index) => <Branch key={index} node={child} depth={depth + 1} title={name} />)}
      {open && children.length > most && (
        <button type="button" className={classes.more} style={pad} onClick={() => setMost(most + CHUNK)}>
          {t("tree.more", { count: Math.min(CHUNK, children.length - most), left: children.length - most })}
        </button>
      )}
    </>
  );
}

interface Props {
  left: JsonNode | null;
  right: JsonNode | null;
  title: string;
}

/** Two values beside each other as one tree; what is the same is folded up. */
export function DiffTree({ left, right, title }: Props) {
  return (
    <div className={classes.diffTree} role="group" aria-label={title}>
      <Branch node={diffOf(left, right)} depth={0} title={title} />
    </div>
  );
}
