import { ActionIcon, Select, TextInput, Tooltip } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AllowedAddress } from "@/shared/api/shapes";
import { settingsUpdate } from "./requests/settingsUpdate";
import { ListForm, SettingsSection } from "./SettingsSection";
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
    <ListForm
      add={{
        label: t("settings.addRule"),
        onAdd: () => setRules([...rules, { address: "", for: "tools", reason: "" }]),
      }}
      changed={changed}
      save={save}
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
    </ListForm>
  );
}

/** Which private addresses tools and models may reach. */
export function NetworkSection() {
  const { t } = useTranslation();
  return (
    <SettingsSection title={t("settings.network")} text={t("settings.networkText")}>
      {(settings) => <Rules stored={settings.network?.allow ?? []} />}
    </SettingsSection>
  );
}
