import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Said } from "@/shared/ui/Said";
import { useForm, useToolForm } from "./FormContext";
import { Section } from "./Section";
import classes from "./Form.module.css";

/** The names that a run takes from its environment. */
export function EnvForm() {
  const { t } = useTranslation();
  const { edit, readOnly, problems } = useForm();
  const form = useToolForm();
  const [name, setName] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted && !form.env.some(({ text }) => text === wanted) && edit({ do: "addEnv", name: wanted })) setName("");
  };
  const bad = form.env
    .map((_, index) => problems.get(`env[${index}]`))
    .filter(Boolean)
    .join(" ");
  return (
    <Section title={t("form.env")} hint={form.env.length === 0 ? t("form.envHint") : undefined}>
      <div className={classes.env}>
        {form.env.map(({ text }, index) => (
          <span key={index} className={classes.pill} data-path={`env[${index}]`}>
            <code>{text}</code>
            {!readOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                radius="xl"
                aria-label={t("form.remove", { name: text })}
                onClick={() => edit({ do: "remove", path: ["env", index] })}
              >
                <IconX size={13} />
              </ActionIcon>
            )}
          </span>
        ))}
        {!readOnly && (
          <form onSubmit={add} className="row">
            <TextInput
              value={name}
              onChange={(e) => setName(e.currentTarget.value)}
              aria-label={t("form.envName")}
              placeholder={t("form.envPlaceholder")}
              w={170}
              spellCheck={false}
            />
            <Button type="submit" variant="default" disabled={!name.trim()}>
              {t("form.add")}
            </Button>
          </form>
        )}
      </div>
      {bad && (
        <p className="small" style={{ color: "var(--wb-red)" }}>
          <Said text={bad} />
        </p>
      )}
    </Section>
  );
}
