import { Button, TextInput } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ToolForm } from "../../document/tool";
import type { Unreadable } from "@/shared/yaml/source";
import type { PlacedProblem } from "@/shared/api/shapes";
import { useSay } from "@/shared/i18n/sentences";
import { useEditor } from "../EditorContext";
import { CurlPaste } from "./CurlPaste";
import { EnvForm } from "./EnvForm";
import { FormContext, problemsByPath, ToolFormContext } from "./FormContext";
import { ParamsForm } from "./ParamsForm";
import { Section } from "./Section";
import { StepsForm } from "./StepsForm";
import { TextField } from "./TextField";
import classes from "./Form.module.css";

function useLastReadable(): { form: ToolForm | null; reason: Unreadable | null } {
  const reading = useEditor((state) => state.reading);
  const last = useRef<ToolForm | null>(null);
  if (reading.form) last.current = reading.form;
  return { form: last.current, reason: reading.ok ? null : reading.reason };
}

/** Why the form can't edit just now; it goes on showing what it last could read. */
function Banner({ reason }: { reason: Unreadable }) {
  const { t } = useTranslation();
  const goTo = useEditor((state) => state.goTo);
  const line = "line" in reason ? reason.line : 1;
  const path = reason.why === "shape" ? reason.path : "";
  return (
    <div className={classes.banner} role="status">
      <IconInfoCircle size={16} aria-hidden="true" />
      <div>
        <p>{t(`form.readOnly.${reason.why}`, { line, path })}</p>
        {reason.why !== "empty" && (
          <Button variant="subtle" size="compact-xs" onClick={() => goTo({ path: "", line, column: 1, to: "yaml" })}>
            {t("form.showLine", { line })}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Brings the field that a problem or an error speaks of into view, and the keyboard into it. */
function useJumps(root: React.RefObject<HTMLDivElement | null>) {
  const jump = useEditor((state) => state.jump);
  const goTo = useEditor((state) => state.goTo);
  useEffect(() => {
    if (jump?.to !== "form") return;
    const timer = setTimeout(() => {
      for (let path = jump.path; path; path = path.replace(/(\.[^.[\]]*|\[[^\]]*\])$/, "")) {
        const target = root.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
        if (!target) {
          if (!/[.[]/.test(path)) break;
          continue;
        }
        target.scrollIntoView({ block: jump.select ? "nearest" : "center" });
        const field = target.matches("input, textarea")
          ? target
          : target.querySelector<HTMLElement>("input, textarea, button");
        field?.focus();
        if (jump.select && (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) field.select();
        return;
      }
      if (jump.line > 1) goTo({ ...jump, to: "yaml" });
    }, 60);
    return () => clearTimeout(timer);
  }, [jump, root, goTo]);
}

export function FormView({ warnings }: { warnings: readonly PlacedProblem[] }) {
  const { t } = useTranslation();
  const say = useSay();
  const root = useRef<HTMLDivElement>(null);
  const { form, reason } = useLastReadable();
  const edit = useEditor((state) => state.edit);
  const locked = useEditor((state) => state.readOnly);
  const problems = useEditor((state) => state.problems);
  const broken = reason?.why === "syntax";
  const readOnly = locked || (reason !== null && !broken);
  // By what they say: their lines move with every keystroke, and that is nothing that a field shows.
  const told = JSON.stringify(warnings.map(({ path, message }) => ({ path, message })));
  const tools = useMemo(
    () => ({
      edit,
      readOnly,
      problems: problemsByPath(problems, say),
      warnings: problemsByPath(JSON.parse(told) as PlacedProblem[], say),
    }),
    [edit, readOnly, problems, told, say],
  );
  useJumps(root);
  return (
    <div ref={root}>
      {reason && (
        <div className={classes.sticky}>
          <Banner reason={reason} />
        </div>
      )}
      {form && (
        <FormContext value={tools}>
          <ToolFormContext value={form}>
            <div className={broken ? `${classes.form} ${classes.frozen}` : classes.form} inert={broken}>
              <Section title={t("form.about")}>
                <TextInput
                  label={t("form.name")}
                  value={form.name.text}
                  readOnly
                  description={t("form.nameHint")}
                  data-path="name"
                />
                <TextField
                  label={t("form.desc")}
                  path={["desc"]}
                  field={form.desc}
                  description={t("form.descHint")}
                  lines
                />
              </Section>
              <ParamsForm />
              <EnvForm />
              <CurlPaste>
                <StepsForm />
              </CurlPaste>
            </div>
          </ToolFormContext>
        </FormContext>
      )}
    </div>
  );
}
