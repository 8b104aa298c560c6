import { ActionIcon, PasswordInput, Radio, TextInput, Tooltip } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelProvider, ModelSettings } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { settingsUpdate } from "./requests/settingsUpdate";
import { ListForm, SettingsSection } from "./SettingsSection";
import classes from "./Settings.module.css";

/** The provider that every install has; it answers by rule. */
const SANDBOX = "sandbox";
const NEW: ModelProvider = { name: "", base_url: "", reasoning: "", function: "" };

/** What is sent: a key only where one was typed. */
function sent({ name, base_url, reasoning, function: fn, key }: ModelProvider): ModelProvider {
  return { name, base_url, reasoning, function: fn, ...(key ? { key } : {}) };
}

interface FieldsProps {
  provider: ModelProvider;
  label: string;
  isDefault: boolean;
  onChange: (part: Partial<ModelProvider>) => void;
  onDefault: () => void;
  onRemove: () => void;
}

function ProviderFields({ provider, label, isDefault, onChange, onDefault, onRemove }: FieldsProps) {
  const { t } = useTranslation();
  const text = (field: "name" | "base_url" | "reasoning" | "function", placeholder: string, required = true) => (
    <TextInput
      label={t(`settings.models.${field}`)}
      value={provider[field] ?? ""}
      onChange={(e) => onChange({ [field]: e.currentTarget.value })}
      placeholder={placeholder}
      required={required}
      withAsterisk={false}
      spellCheck={false}
    />
  );
  return (
    <div className={classes.provider} role="group" aria-label={label}>
      {text("name", "company")}
      {text("base_url", "https://api.example.com/v1")}
      {text("reasoning", "large-model")}
      {text("function", t("settings.models.same"), false)}
      <PasswordInput
        label={t("settings.models.key")}
        value={provider.key ?? ""}
        onChange={(e) => onChange({ key: e.currentTarget.value })}
        placeholder={provider.key_set ? t("settings.models.keySet") : ""}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": t("session.showPassword") }}
      />
      <div className="row" style={{ justifyContent: "space-between", alignSelf: "end" }}>
        <Radio label={t("settings.models.default")} checked={isDefault} onChange={onDefault} name="default-provider" />
        <Tooltip label={t("form.remove", { name: label })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t("form.remove", { name: label })}
            onClick={onRemove}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  );
}

function Providers({ stored }: { stored: ModelSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [rows, setRows] = useState<ModelProvider[]>(stored.providers);
  const [chosen, setChosen] = useState(stored.default ?? SANDBOX);
  const save = useOnce({
    mutationFn: () => settingsUpdate({ models: { providers: rows.map(sent), default: chosen } }),
    onSuccess: (settings) => {
      if (settings.models) {
        setRows(settings.models.providers);
        setChosen(settings.models.default ?? SANDBOX);
      }
      return queries.invalidateQueries({ queryKey: ["settings"] });
    },
  });
  const change = (index: number, part: Partial<ModelProvider>) => {
    save.reset();
    if (part.name !== undefined && rows[index]?.name === chosen && chosen) setChosen(part.name);
    setRows(rows.map((row, n) => (n === index ? { ...row, ...part } : row)));
  };
  const remove = (index: number) => {
    if (rows[index]?.name === chosen) setChosen(SANDBOX);
    setRows(rows.filter((_, n) => n !== index));
  };
  const changed = JSON.stringify([rows, chosen]) !== JSON.stringify([stored.providers, stored.default ?? SANDBOX]);
  return (
    <ListForm
      add={{ label: t("settings.models.add"), onAdd: () => setRows([...rows, NEW]) }}
      changed={changed}
      save={save}
    >
      <Radio
        label={t("settings.models.sandbox")}
        checked={chosen === SANDBOX}
        onChange={() => setChosen(SANDBOX)}
        name="default-provider"
      />
      {rows.map((provider, index) => (
        <ProviderFields
          key={index}
          provider={provider}
          label={provider.name || t("settings.models.providerN", { n: index + 1 })}
          isDefault={provider.name !== "" && chosen === provider.name}
          onChange={(part) => change(index, part)}
          onDefault={() => setChosen(provider.name)}
          onRemove={() => remove(index)}
        />
      ))}
    </ListForm>
  );
}

/** The servers of language models; their keys go in and never come out. */
export function ModelsSection() {
  const { t } = useTranslation();
  return (
    <SettingsSection title={t("settings.models.title")} text={t("settings.models.text")}>
      {(settings) => <Providers stored={settings.models ?? { providers: [] }} />}
    </SettingsSection>
  );
}
