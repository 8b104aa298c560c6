import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOnce } from "@/shared/hooks/useOnce";
import { fromPlain, parseExact, writeJson } from "@/shared/json/exact";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { runCommand } from "../requests/runCommand";
import classes from "./Graph.module.css";
import { kindOf } from "./valueKind";

interface Props {
  run: string;
  visit: string;
  name: string;
  value: unknown;
  onDone: () => void;
}

/** Changes what a finished visit wrote; text needs no quotes where it was text. */
export function EditValue({ run, visit, name, value, onDone }: Props) {
  const { t } = useTranslation();
  const kind = kindOf(value);
  const [text, setText] = useState(typeof value === "string" ? value : writeJson(fromPlain(value), "  "));
  const [wrong, setWrong] = useState(false);
  const change = useOnce({
    mutationFn: (changed: unknown) => runCommand(run, { command: "change_output", visit, key: name, value: changed }),
    onSuccess: onDone,
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (kind === "text") return change.mutate(text);
    try {
      change.mutate(parseExact(text));
    } catch {
      setWrong(true);
    }
  };
  return (
    <form className={classes.form} onSubmit={save}>
      <Textarea
        label={t(`run.debug.newOf.${kind}`, { name })}
        description={t("run.debug.changeHint")}
        value={text}
        autosize
        autoFocus
        minRows={kind === "number" || kind === "bool" ? 1 : 2}
        maxRows={12}
        data-autofocus
        error={wrong && kind !== "text" ? t(`run.debug.wants.${kind}`) : undefined}
        onChange={(e) => {
          setText(e.currentTarget.value);
          setWrong(false);
        }}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
      />
      <ErrorLine error={change.error} />
      <div className="row">
        <Button type="submit" size="compact-sm" loading={change.isPending}>
          {t("run.debug.change")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
