import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MissingChoice } from "../../document/toolEdits";
import { variableNamed } from "../../document/variableName";
import { useEditor } from "../EditorContext";
import { stepTitle } from "../form/stepTitle";
import { LiveMatch } from "./LiveMatch";
import { labelIn } from "./selection";
import { useAddVariable } from "./useAddVariable";
import { useExtractTry } from "./useExtractTry";
import classes from "./Take.module.css";

const KINDS = ["empty", "default", "abort", "jump"] as const;
type Kind = (typeof KINDS)[number];

interface Props {
  step: number;
  text: string;
  cut: boolean;
  /** The pattern that was written for the selection. */
  suggested: string;
  onClose: () => void;
}

/** The pattern for a selection: what it finds, what its variable is called, and what happens when it finds nothing. */
export function TakePattern({ step, text, cut, suggested, onClose }: Props) {
  const { t } = useTranslation();
  const form = useEditor((state) => state.reading.form);
  const vars = form?.steps[step]?.vars ?? [];
  const steps = form?.steps ?? [];
  const taken = vars.map(({ name }) => name.text);
  const [extract, setExtract] = useState(suggested);
  const [name, setName] = useState(() => variableNamed(labelIn(suggested), taken));
  const [kind, setKind] = useState<Kind>("empty");
  const [otherwise, setOtherwise] = useState("");
  const [target, setTarget] = useState(() => String(Math.min(step + 1, Math.max(0, steps.length - 1))));
  const add = useAddVariable();
  const trial = useExtractTry(text, extract);
  const panel = useRef<HTMLFormElement>(null);
  // Once more when it is known what is found: that makes it longer.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [trial.kind]);
  const pattern = extract.length > 2 && extract.startsWith("/") && extract.endsWith("/");
  const clash = taken.includes(name) ? t("take.nameTaken") : /^[^\s{}$]+$/.test(name) ? null : t("take.nameWrong");
  const missing: MissingChoice =
    kind === "default" ? { kind, value: otherwise } : kind === "jump" ? { kind, target: Number(target) } : { kind };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (clash || !pattern) return;
    add(step, extract, name, missing);
    onClose();
  };
  return (
    <form ref={panel} className={classes.panel} onSubmit={submit} aria-label={t("take.title")}>
      <Textarea
        label={t("take.pattern")}
        description={t("take.patternHint")}
        value={extract}
        onChange={(event) => setExtract(event.currentTarget.value.replace(/[\r\n]/g, ""))}
        autosize
        minRows={1}
        maxRows={5}
        spellCheck={false}
        error={pattern ? undefined : t("take.notPattern")}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 } }}
      />
      <div>
        <span className="muted small">{t("take.match")}</span>
        <LiveMatch trial={trial} />
        {cut && <p className="muted small">{t("take.cut")}</p>}
      </div>
      <div className={classes.two}>
        <TextInput
          label={t("form.variableName")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={clash}
          spellCheck={false}
          data-autofocus
        />
        <Select
          label={t("form.whenMissing")}
          value={kind}
          onChange={(value) => value && setKind(value as Kind)}
          allowDeselect={false}
          data={KINDS.map((one) => ({ value: one, label: t(`form.missing.${one}`) }))}
        />
        {kind === "default" && (
          <TextInput
            label={t("form.default")}
            value={otherwise}
            onChange={(event) => setOtherwise(event.currentTarget.value)}
          />
        )}
        {kind === "jump" && (
          <Select
            label={t("take.jumpTo")}
            value={target}
            onChange={(value) => value && setTarget(value)}
            allowDeselect={false}
            data={steps.map((one, n) => ({
              value: String(n),
              label: `${t("form.stepN", { n })} · ${stepTitle(one, t("form.noUrl"))}`,
            }))}
          />
        )}
      </div>
      <div className="row" style={{ justifyContent: "flex-end" }}>
        <Button variant="default" size="compact-md" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" size="compact-md" disabled={clash !== null || !pattern}>
          {t("take.add")}
        </Button>
      </div>
    </form>
  );
}
