import { ActionIcon, Button, Select, TextInput, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AllowedAddress } from "@/shared/api/shapes";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { Waiting } from "@/shared/ui/Waiting";
import { settingsRead } from "./requests/settingsRead";
import { settingsUpdate } from "./requests/settingsUpdate";
import classes from "./Settings.module.css";

const FOR = ["tools", "models", "both"] as const;

function Rules({ stored }: { stored: AllowedAddress[] }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [rules, setRules] = useState(stored);
  const save = useMutation({
    mutationFn: () => settingsUpdate({ network: { allow: rules } }),
    onSuccess: (settings) => {
      setRules(settings.network?.allow ?? rules);
      return queries.invalidateQueries({ queryKey: ["settings"] });
    },
  });
  const change = (index: number, part: Partial<AllowedAddress>) => {
    save.reset();
    setRules(rules.map((rule, n) => (n === index ? { ...rule, ...part } : rule)));
  };
  const changed = JSON.stringify(rules) !== JSON.stringify(stored);
  return (
    <form
      style={{ display: "grid", gap: 12 }}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {rules.length === 0 ? (
        <p className="muted">{t("settings.noRules")}</p>
      ) : (
        <div className={classes.labels} aria-hidden="true">
          <span>{t("settings.address")}</span>
          <span>{t("settings.for")}</span>
          <span>{t("settings.reason")}</span>
        </div>
      )}
      <div className={classes.rules}>
        {rules.map((rule, index) => (
          <div key={index} className={classes.rule} role="group" aria-label={t("settings.ruleN", { n: index + 1 })}>
            <TextInput
              value={rule.address}
              onChange={(e) => change(index, { address: e.currentTarget.value })}
              aria-label={t("settings.address")}
              placeholder="10.0.0.0/8"
              required
              spellCheck={false}
            />
            <Select
              data={FOR.map((value) => ({ value, label: t(`settings.forWhat.${value}`) }))}
              value={rule.for}
              onChange={(value) => value && change(index, { for: value as AllowedAddress["for"] })}
              aria-label={t("settings.for")}
            />
            <TextInput
              value={rule.reason ?? ""}
              onChange={(e) => change(index, { reason: e.currentTarget.value })}
              aria-label={t("settings.reason")}
              placeholder={t("settings.reasonHint")}
            />
            <Tooltip label={t("form.remove", { name: rule.address || t("settings.ruleN", { n: index + 1 }) })}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t("form.remove", { name: rule.address || t("settings.ruleN", { n: index + 1 }) })}
                onClick={() => setRules(rules.filter((_, n) => n !== index))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          </div>
        ))}
      </div>
      <ErrorLine error={save.error} />
      <div className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setRules([...rules, { address: "", for: "tools", reason: "" }])}
        >
          {t("settings.addRule")}
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

/** Which private addresses tools and models may reach. */
export function NetworkSection() {
  const { t } = useTranslation();
  const settings = useQuery({ queryKey: ["settings"], queryFn: settingsRead, refetchOnWindowFocus: false });
  return (
    <section className={classes.card} aria-label={t("settings.network")}>
      <h2>{t("settings.network")}</h2>
      <p className="muted">{t("settings.networkText")}</p>
      <ErrorLine error={settings.error} />
      {settings.isPending && <Waiting />}
      {settings.data && <Rules stored={settings.data.network?.allow ?? []} />}
    </section>
  );
}
