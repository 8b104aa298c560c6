import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import type { ToolProblem } from "@/shared/api/shapes";
import type { Say } from "@/shared/i18n/sentences";
import type { Path } from "@/shared/yaml/plain";
import { pathText, type ToolForm } from "../../document/tool";
import type { ToolEdit } from "../../document/toolEdits";
import { useEditor } from "../EditorContext";

/** Adds something to the document and puts the keyboard into its first field. */
export function useAdd(): (edit: ToolEdit, path: Path) => boolean {
  const { edit } = useForm();
  const goTo = useEditor((state) => state.goTo);
  return (wanted, path) => {
    const done = edit(wanted);
    if (done) goTo({ path: pathText(path), line: 1, column: 1, to: "form", select: true });
    return done;
  };
}

/** What every field needs. It changes seldom, so that a keystroke redraws its own field and not the others. */
export interface FormTools {
  readOnly: boolean;
  edit: (edit: ToolEdit, key?: string) => boolean;
  problems: ReadonlyMap<string, string>;
  /** What is likely not meant, by field. */
  warnings: ReadonlyMap<string, string>;
}

export const FormContext = createContext<FormTools | null>(null);

export function useForm(): FormTools {
  const tools = useContext(FormContext);
  if (!tools) throw new Error("No form around this component");
  return tools;
}

export const ToolFormContext = createContext<ToolForm | null>(null);

/** What the document says; changes with every keystroke. */
export function useToolForm(): ToolForm {
  const form = useContext(ToolFormContext);
  if (!form) throw new Error("No form around this component");
  return form;
}

export function problemsByPath(problems: readonly ToolProblem[], say: Say): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, message } of problems)
    found.set(path, found.has(path) ? `${found.get(path)} ${say(message)}` : say(message));
  return found;
}

/** The problem of a field, or that what was typed could not be written. */
export function useProblem(path: Path, refused: boolean): string | undefined {
  const { t } = useTranslation();
  const { problems } = useForm();
  if (refused) return t("form.refused");
  return problems.get(pathText(path));
}
