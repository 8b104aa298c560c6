import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/shared/api/shapes";
import type { Folded } from "@/shared/fold";
import { useFormat } from "@/shared/hooks/useFormat";
import { EarlierButton } from "@/shared/ui/EarlierButton";
import table from "@/shared/ui/Table.module.css";
import { TableHead } from "@/shared/ui/TableParts";
import { ValueView } from "@/shared/ui/ValueView";
import { entriesOf, knownAction, knownActor, knownDetail, knownRole, knownValue } from "./actions";
import classes from "./Audit.module.css";

/** The words for an action; its code is there for those who search or script. */
function What({ code }: { code: string }) {
  const { t } = useTranslation();
  const known = knownAction(code);
  if (!known) return <code>{code}</code>;
  return (
    <Tooltip label={<code>{code}</code>}>
      <span>{t(`audit.did.${known}`)}</span>
    </Tooltip>
  );
}

const MOST_INLINE = 6;
const RUN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A value that fits into a line: a text or number as it is, a short list of texts with commas. */
function lineOf(value: unknown): string | null {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number") return String(value);
  const short = Array.isArray(value) && value.length > 0 && value.length <= MOST_INLINE;
  return short && value.every((one) => typeof one === "string") ? value.join(", ") : null;
}

const isPlain = (value: unknown) =>
  value === null || typeof value !== "object" || Object.keys(value).length === 0 || lineOf(value) !== null;

/** What there is to know beyond that: single values in a line, others as trees that open. */
function Detail({ detail }: { detail: Record<string, unknown> }) {
  const { t } = useTranslation();
  const entries = Object.entries(detail);
  if (entries.length === 0) return <span className="muted">–</span>;
  const plain = entries.filter(([, value]) => isPlain(value));
  const word = (name: string) => {
    const known = knownDetail(name);
    return known ? t(`audit.told.${known}`) : name;
  };
  const said = (name: string, value: unknown) => {
    const code = knownValue(name, value);
    if (code) return t(`audit.value.${code}`);
    const role = knownRole(name, value);
    if (role) return t(`roles.${role}`);
    return typeof value === "boolean" ? t(value ? "audit.yes" : "audit.no") : lineOf(value);
  };
  const deep = entries.filter(([, value]) => !isPlain(value));
  return (
    <div className={classes.detail}>
      {plain.length > 0 && (
        <div className={classes.plain}>
          {plain.map(([name, value]) => (
            <span key={name}>
              <span className="muted">{word(name)}: </span>
              {said(name, value) ?? <ValueView value={value} label={word(name)} />}
            </span>
          ))}
        </div>
      )}
      {deep.map(([name, value]) => (
        <div key={name}>
          <span className="muted">{word(name)}: </span>
          <ValueView value={value} label={word(name)} open={0} />
        </div>
      ))}
    </div>
  );
}

/** What it was done to; a run by the start of its id, as everywhere, with the way to it. */
function Target({ entry: { action, target } }: { entry: AuditEntry }) {
  if (!action.startsWith("run.") || !RUN.test(target)) return <>{target}</>;
  return (
    <Link to="/runs/$id" params={{ id: target }} title={target}>
      {target.slice(0, 8)}
    </Link>
  );
}

function Row({ entry, inner }: { entry: AuditEntry; inner?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const actor = knownActor(entry.actor);
  return (
    <tr className={inner ? classes.inner : undefined}>
      <td className={classes.at}>{format.dateTime(entry.at)}</td>
      <td className={classes.who}>
        {(actor ? t(`audit.who.${actor}`) : entry.actor) || <span className="muted">{t("history.system")}</span>}
      </td>
      <td className={classes.what}>
        <div>
          <What code={entry.action} />
        </div>
        {entry.target && entry.target !== entry.actor && (
          <div className={`${classes.target} muted small`}>
            <Target entry={entry} />
          </div>
        )}
      </td>
      <td>
        <Detail detail={entry.detail} />
      </td>
    </tr>
  );
}

/** Saves of one document by one person, the newest shown, the others folded below it. */
function Sitting({ entries: { head, rest } }: { entries: Folded<AuditEntry> }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Row entry={head} />
      {open && rest.map((entry) => <Row key={entry.id} entry={entry} inner />)}
      {rest.length > 0 && (
        <tr className={classes.fold}>
          <td colSpan={4}>
            <EarlierButton count={rest.length} open={open} onToggle={() => setOpen(!open)} />
          </td>
        </tr>
      )}
    </>
  );
}

export function AuditTable({ rows }: { rows: AuditEntry[] }) {
  const { t } = useTranslation();
  if (rows.length === 0)
    return (
      <div className={table.wrap}>
        <p className={table.nothing}>{t("audit.nothing")}</p>
      </div>
    );
  return (
    <div className={table.wrap}>
      <table className={`${table.table} ${classes.table}`} aria-label={t("places.audit")}>
        <TableHead
          columns={[
            { label: t("audit.at"), className: classes.times },
            { label: t("audit.actor"), width: "14%" },
            { label: t("audit.action"), width: "30%" },
            { label: t("audit.detail") },
          ]}
        />
        <tbody>
          {entriesOf(rows).map((entries) => (
            <Sitting key={entries.rest.at(-1)?.id ?? entries.head.id} entries={entries} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
