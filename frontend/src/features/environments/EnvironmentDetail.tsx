import { ActionIcon, Button, TextInput, Tooltip } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { Confirm } from "@/shared/ui/Confirm";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { Waiting } from "@/shared/ui/Waiting";
import table from "@/shared/ui/Table.module.css";
import { EntryDialog, type EntryKind } from "./EntryDialog";
import { environmentDelete } from "./requests/environmentDelete";
import { environmentRead } from "./requests/environmentRead";
import { environmentUpdate } from "./requests/environmentUpdate";
import { secretDelete } from "./requests/secretDelete";
import { variableDelete } from "./requests/variableDelete";
import classes from "./Environments.module.css";

interface Open {
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

function Entries({ kind, environment, onEdit, onRemove }: EntriesProps) {
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
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => onEdit({ kind, name: null })}
        >
          {t(secret ? "environments.addSecret" : "environments.addVariable")}
        </Button>
      </div>
      {secret && <p className="muted small">{t("environments.secretsHint")}</p>}
      <div className={table.wrap}>
        {rows.length === 0 ? (
          <p className={table.nothing}>{t(secret ? "environments.noSecrets" : "environments.noVariables")}</p>
        ) : (
          <table className={table.table} style={{ tableLayout: "fixed" }}>
            <colgroup>
              <col width="24%" />
              <col />
              <col width="22%" />
              <col className={table.wide} width="20%" />
              <col width="96" />
            </colgroup>
            <thead>
              <tr>
                <th scope="col">{t("environments.name")}</th>
                <th scope="col">{t(secret ? "environments.hosts" : "environments.value")}</th>
                <th scope="col">{t("environments.usedBy")}</th>
                <th scope="col" className={table.wide}>
                  {t("environments.changed")}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{t("common.actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <td>
                    <code>{row.name}</code>
                  </td>
                  <td style={{ maxWidth: 260, overflowWrap: "anywhere" }}>{value(row)}</td>
                  <td>
                    <UsedBy tools={row.used_by} />
                  </td>
                  <td className={`muted small ${table.wide}`}>
                    {format.ago(row.updated_at)}
                    {row.updated_by ? ` · ${row.updated_by}` : ""}
                  </td>
                  <td>
                    <div className={table.actions}>
                      <Tooltip label={t("environments.change", { name: row.name })}>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={t("environments.change", { name: row.name })}
                          onClick={() => onEdit({ kind, name: row.name })}
                        >
                          <IconPencil size={15} />
                        </ActionIcon>
                      </Tooltip>
                      <Tooltip label={t("form.remove", { name: row.name })}>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={t("form.remove", { name: row.name })}
                          onClick={() => onRemove({ kind, name: row.name })}
                        >
                          <IconTrash size={15} />
                        </ActionIcon>
                      </Tooltip>
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

function Description({ environment }: { environment: Environment }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [text, setText] = useState(environment.description);
  const save = useMutation({
    mutationFn: () => environmentUpdate(environment.name, text.trim()),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["environments"] }),
  });
  return (
    <form
      className="row grow"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        className="grow"
        value={text}
        onChange={(e) => setText(e.currentTarget.value)}
        aria-label={t("environments.description")}
        placeholder={t("environments.description")}
      />
      {text.trim() !== environment.description && (
        <Button type="submit" variant="default" loading={save.isPending}>
          {t("save.save")}
        </Button>
      )}
      <ErrorLine error={save.error} />
    </form>
  );
}

export function EnvironmentDetail({ name, onGone }: { name: string; onGone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [editing, setEditing] = useState<Open | null>(null);
  const [removing, setRemoving] = useState<Open | "environment" | null>(null);
  const detail = useQuery({ queryKey: ["environments", "one", name], queryFn: () => environmentRead(name) });
  const remove = useMutation({
    mutationFn: async (what: Open | "environment") => {
      if (what === "environment") await environmentDelete(name);
      else await (what.kind === "secret" ? secretDelete : variableDelete)(name, what.name ?? "");
      return what;
    },
    onSuccess: (what) => {
      setRemoving(null);
      if (what === "environment") onGone();
      return queries.invalidateQueries({ queryKey: ["environments"] });
    },
  });
  if (detail.error) return <ErrorLine error={detail.error} />;
  if (!detail.data) return <Waiting />;
  const whole = removing === "environment";
  return (
    <div className={classes.detail}>
      <h2>{name}</h2>
      <div className={classes.head}>
        <Description environment={detail.data} />
        <Button variant="default" leftSection={<IconTrash size={15} />} onClick={() => setRemoving("environment")}>
          {t("environments.delete")}
        </Button>
      </div>
      <Entries kind="variable" environment={detail.data} onEdit={setEditing} onRemove={setRemoving} />
      <Entries kind="secret" environment={detail.data} onEdit={setEditing} onRemove={setRemoving} />
      {editing && (
        <EntryDialog
          environment={detail.data}
          kind={editing.kind}
          name={editing.name}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <Confirm
          title={whole ? t("environments.deleteTitle", { name }) : t("form.remove", { name: removing.name })}
          error={remove.error}
          pending={remove.isPending}
          text={t(whole ? "environments.deleteText" : "environments.removeText")}
          action={whole ? t("environments.delete") : t("common.remove")}
          onClose={() => setRemoving(null)}
          onConfirm={() => remove.mutate(removing)}
        />
      )}
    </div>
  );
}
