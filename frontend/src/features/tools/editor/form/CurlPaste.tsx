import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isCurl, requestOf, useCurlNews } from "../../curl/curlCommand";
import { curlImport } from "../../requests/curlImport";
import { useEditor } from "../EditorContext";
import { CurlContext, type CurlPlace, type CurlTools } from "./CurlContext";
import type { StepForm } from "../../document/tool";
import { STARTER_URL } from "../../list/newToolText";
import { useForm, useToolForm } from "./FormContext";

const FIELDS = "input, textarea, select, [contenteditable], [role='dialog']";

/** The place behind the step in which the focus is; the end of the list when it is in none. */
function placeOfFocus(count: number): number {
  const step = document.activeElement?.closest("[data-path^='steps[']")?.getAttribute("data-path");
  const index = /^steps\[(\d+)\]/.exec(step ?? "")?.[1];
  return index === undefined ? count : Math.min(Number(index) + 1, count);
}

/** Whether a tool is as it was made: one step, in which nothing was written yet. */
function untouched(steps: StepForm[]): boolean {
  const [one, ...more] = steps;
  if (!one || more.length > 0 || one.url.text !== STARTER_URL || one.method.text !== "GET") return false;
  const rest = [one.body, one.timeout, one.cache, one.next, one.result];
  return rest.every(({ kind }) => kind === "absent") && one.headers.length + one.query.length + one.vars.length === 0;
}

/** Takes cURL commands into the steps: pasted anywhere outside of a field, or handed over by what is inside. */
export function CurlPaste({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { edit, readOnly } = useForm();
  const { steps } = useToolForm();
  const count = steps.length;
  const fresh = untouched(steps);
  const tool = useEditor((state) => state.draft.name);
  const goTo = useEditor((state) => state.goTo);
  const { tell } = useCurlNews.getState();
  const importing = useMutation({
    mutationFn: ({ command }: { command: string; place: CurlPlace }) => curlImport(command),
    onSuccess: (from, { place: wanted }) => {
      const request = requestOf(from);
      const place = fresh ? { step: 0 } : wanted;
      const step = "at" in place ? place.at : place.step;
      const done = edit("at" in place ? { do: "addStep", index: step, request } : { do: "request", step, request });
      if (!done) throw new Error(t("curl.refused"));
      tell({ tool, step, inserted: "at" in place, from });
      goTo({ path: `steps[${step}].url`, line: 1, column: 1, to: "form" });
    },
  });
  const { mutate, isPending, error, variables } = importing;
  const latest = useRef({ count, readOnly, isPending });
  useEffect(() => {
    latest.current = { count, readOnly, isPending };
  });
  useEffect(() => {
    const pasted = (event: ClipboardEvent) => {
      const now = latest.current;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (now.readOnly || now.isPending || event.defaultPrevented || !isCurl(text)) return;
      if (event.target instanceof Element && event.target.closest(FIELDS)) return;
      event.preventDefault();
      mutate({ command: text, place: { at: placeOfFocus(now.count) } });
    };
    document.addEventListener("paste", pasted);
    return () => document.removeEventListener("paste", pasted);
  }, [mutate]);
  const place = variables?.place;
  const errorAt = place && "step" in place ? place.step : null;
  const tools: CurlTools = useMemo(
    () => ({
      paste: (command, where) => mutate({ command, place: where }),
      pending: isPending,
      error,
      errorAt,
    }),
    [mutate, isPending, error, errorAt],
  );
  return <CurlContext value={tools}>{children}</CurlContext>;
}
