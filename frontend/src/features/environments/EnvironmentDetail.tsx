import { Button, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "@/shared/api/shapes";
import { Confirm } from "@/shared/ui/Confirm";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { Waiting } from "@/shared/ui/Waiting";
import { EntryDialog } from "./EntryDialog";
import { Entries, type Open } from "./EntryTable";
import { environmentDelete } from "./requests/environmentDelete";
import { environmentRead } from "./requests/environmentRead";
import { environmentUpdate } from "./requests/environmentUpdate";
import { secretDelete } from "./requests/secretDelete";
import { variableDelete } from "./requests/variableDelete";
import classes from "./Environments.module.css";

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
      <div className={classes.head}>
        <h2 className="grow">{name}</h2>
        <Button variant="default" leftSection={<IconTrash size={15} />} onClick={() => setRemoving("environment")}>
          {t("environments.delete")}
        </Button>
      </div>
      <Description environment={detail.data} />
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
