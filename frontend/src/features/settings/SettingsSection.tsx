import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Settings } from "@/shared/api/shapes";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { Waiting } from "@/shared/ui/Waiting";
import { settingsRead } from "./requests/settingsRead";
import classes from "./Settings.module.css";

interface SectionProps {
  title: string;
  text: string;
  children: (settings: Settings) => ReactNode;
}

/** A card of the settings that an admin changes for everybody. */
export function SettingsSection({ title, text, children }: SectionProps) {
  const settings = useQuery({ queryKey: ["settings"], queryFn: settingsRead, refetchOnWindowFocus: false });
  return (
    <section className={classes.card} aria-label={title}>
      <h2>{title}</h2>
      <p className="muted">{text}</p>
      <ErrorLine error={settings.error} />
      {settings.isPending && <Waiting />}
      {settings.data && children(settings.data)}
    </section>
  );
}

interface FormProps {
  add: { label: string; onAdd: () => void };
  changed: boolean;
  save: { mutate: () => void; isPending: boolean; isSuccess: boolean; error: unknown };
  children: ReactNode;
}

/** A list that is saved as a whole: one button adds a row, the other saves. */
export function ListForm({ add, changed, save, children }: FormProps) {
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={classes.form} autoComplete="off" onSubmit={submit}>
      {children}
      <ErrorLine error={save.error} />
      <div className={classes.foot}>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add.onAdd}>
          {add.label}
        </Button>
        <div className="row">
          {save.isSuccess && !changed && (
            <span role="status" className="muted">
              {t("settings.saved")}
            </span>
          )}
          <Button type="submit" disabled={!changed} loading={save.isPending}>
            {t("save.save")}
          </Button>
        </div>
      </div>
    </form>
  );
}
