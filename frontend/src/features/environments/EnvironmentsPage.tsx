import { Button, Modal, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOnce } from "@/shared/hooks/useOnce";
import { usePages } from "@/shared/hooks/usePages";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { MoreRows } from "@/shared/ui/MoreRows";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage, ForbiddenPage } from "@/shared/ui/PlainPage";
import { useFieldText } from "@/shared/ui/useErrorText";
import { Waiting } from "@/shared/ui/Waiting";
import { EnvironmentDetail } from "./EnvironmentDetail";
import { environmentCreate } from "./requests/environmentCreate";
import { environmentList } from "./requests/environmentList";
import classes from "./Environments.module.css";

function NewEnvironment({ onClose, onMade }: { onClose: () => void; onMade: (name: string) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const create = useOnce({
    mutationFn: () => environmentCreate({ name: name.trim(), description: description.trim() }),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ["environments"] });
      onMade(made.name);
    },
  });
  const field = useFieldText(create.error)("name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("environments.new")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={submit} style={{ display: "grid", gap: 12 }}>
        <TextInput
          label={t("environments.name")}
          description={t("tools.nameHint")}
          placeholder="production"
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          error={field}
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput
          label={t("environments.description")}
          value={description}
          onChange={(e) => setDescription(e.currentTarget.value)}
        />
        <ErrorLine error={field ? null : create.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t("environments.create")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Environments with their variables and secrets; admins only. */
export function EnvironmentsPage() {
  const { t } = useTranslation();
  const may = useMay("environments.write");
  const navigate = useNavigate();
  const { name } = useSearch({ strict: false }) as { name?: string };
  const [making, setMaking] = useState(false);
  useTitle(t("places.environments"));
  const list = usePages(["environments", "pages"], environmentList, { enabled: may });
  if (!may) return <ForbiddenPage />;
  if (list.error) return <FailedPage error={list.error} />;
  const rows = list.rows;
  const current = rows.find((row) => row.name === name)?.name ?? rows[0]?.name;
  const go = (to: string | undefined) =>
    void navigate({ to: "/environments", search: { name: to } as never, replace: true });
  return (
    <PageFrame
      title={t("places.environments")}
      intro={t("environments.intro")}
      actions={
        <Button leftSection={<IconPlus size={15} />} onClick={() => setMaking(true)}>
          {t("environments.new")}
        </Button>
      }
    >
      {making && (
        <NewEnvironment
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false);
            go(made);
          }}
        />
      )}
      {list.isPending && <Waiting />}
      {list.data && rows.length === 0 && (
        <div className={classes.none}>
          <p>{t("environments.none")}</p>
          <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setMaking(true)}>
            {t("environments.new")}
          </Button>
        </div>
      )}
      {rows.length > 0 && (
        <div className={classes.columns}>
          <nav aria-label={t("places.environments")} className={classes.list}>
            {rows.map((row) => (
              <button
                key={row.name}
                type="button"
                aria-current={row.name === current ? "true" : undefined}
                onClick={() => go(row.name)}
              >
                <b className="truncate">{row.name}</b>
                <span className="muted small">
                  {t("environments.counts", { variables: row.variables, secrets: row.secrets })}
                </span>
              </button>
            ))}
            <MoreRows of={list} variant="subtle" />
          </nav>
          {current && <EnvironmentDetail key={current} name={current} onGone={() => go(undefined)} />}
        </div>
      )}
    </PageFrame>
  );
}
