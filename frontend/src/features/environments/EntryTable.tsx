import { Button } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import table from "@/shared/ui/Table.module.css";
import { RowAction, TableHead } from "@/shared/ui/TableParts";
import type { EntryKind } from "./EntryDialog";
import classes from "./Environments.module.css";

/** An entry that is to be changed or removed; a new one has no name yet. */
export interface Open {
  kind: EntryKind;
  name: string | null;
}

function UsedBy({ tools }: { tools: readonly string[] | undefined }) {
  if (!tools?.length) return <span className="muted">–</span>;
  return tools.map((tool, index) => (
    <span key={tool}>
      {index > 0 && ", "}
      <Link to="/tools/$name" params={{ name: tool }} className={table.above}>
        {tool}
      </Link>
    </span>
  ));
}

interface EntriesProps {
  kind: EntryKind;
  environment: Environment;
  onEdit: (open: Open) => void;
  onRemove: (open: Open) => void;
}

/** The variables or the secrets of an environment. */
export function Entries({ kind, environment, onEdit, onRemove }: EntriesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const secret = kind === "secret";
  const rows = secret ? environment.secrets : environment.variables;
  const value = (row: (typeof rows)[number]): ReactNode =>
    "hosts" in row ? (
      row.hosts?.join(", ") || <span className="muted">{t("environments.noHosts")}</span>
    ) : (
      <code>{(row as { value?: string | null }).value}</code>
    );
  return (
    <section className={classes.part} aria-label={t(secret ? "environments.secrets" : "environments.variables")}>
      <div className={classes.partHead}>
        <h3>{t(secret ? "environments.secrets" : "environments.variables")}</h3>
        <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => onEdit({ kind, name: null })}>
          {t(secret ? "environments.addSecret" : "environments.addVariable")}
        </Button>
      </div>
      {secret && <p className="muted small">{t("environments.secretsHint")}</p>}
      <div className={table.wrap}>
        {rows.length === 0 ? (
          <p className={table.nothing}>{t(secret ? "environments.noSecrets" : "environments.noVariables")}</p>
        ) : (
          <table className={table.table} style={{ tableLayout: "fixed" }}>
            <TableHead
              columns={[
                { label: t("environments.name"), width: "23%" },
                { label: t(secret ? "environments.hosts" : "environments.value") },
                { label: t("environments.usedBy"), width: "16%" },
                { label: t("environments.changed"), width: "17%", className: table.wide },
              ]}
              actions={96}
            />
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <td>
                    <code>{row.name}</code>
                  </td>
                  <td style={{ overflowWrap: "anywhere" }}>{value(row)}</td>
                  <td>
                    <UsedBy tools={row.used_by} />
                  </td>
                  <td className={`muted small ${table.wide}`}>
                    {format.ago(row.updated_at)}
                    {row.updated_by ? ` · ${row.updated_by}` : ""}
                  </td>
                  <td>
                    <div className={table.actions}>
                      <RowAction
                        label={t("environments.change", { name: row.name })}
                        icon={IconPencil}
                        onClick={() => onEdit({ kind, name: row.name })}
                      />
                      <RowAction
                        label={t("form.remove", { name: row.name })}
                        icon={IconTrash}
                        onClick={() => onRemove({ kind, name: row.name })}
                      />
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}
