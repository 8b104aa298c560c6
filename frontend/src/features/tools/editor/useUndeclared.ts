import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ProblemWarning } from "@/shared/editor/yaml/ProblemList";
import { undeclaredIn } from "../document/undeclared";
import { useEditor } from "./EditorContext";

const NONE: ProblemWarning[] = [];

/** What the tool refers to without declaring it, with the edit that mends it. None of it keeps from publishing. */
export function useUndeclared(): ProblemWarning[] {
  const { t } = useTranslation();
  const reading = useEditor((state) => state.reading);
  const text = useEditor((state) => state.text);
  const readOnly = useEditor((state) => state.readOnly);
  const edit = useEditor((state) => state.edit);
  const goTo = useEditor((state) => state.goTo);
  return useMemo(() => {
    const { form, ok } = reading;
    const found = form ? undeclaredIn(form, text) : [];
    if (!form || found.length === 0) return NONE;
    return found.map(({ kind, name, ...place }): ProblemWarning => {
      const param = kind === "param";
      const mend = (to: "form" | "yaml") => {
        if (!edit(param ? { do: "addParam", name } : { do: "addEnv", name })) return;
        if (param) goTo({ path: `params[${form.params.length}].description`, line: 1, column: 1, to: "form" });
        else goTo({ ...place, to });
      };
      return {
        ...place,
        message: t(param ? "problems.undeclaredParam" : "problems.undeclaredEnv", { name }),
        ...(ok && !readOnly
          ? { mend: { label: t(param ? "problems.addParam" : "problems.addEnv", { name }), act: mend } }
          : {}),
      };
    });
  }, [reading, text, readOnly, edit, goTo, t]);
}
