import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import { type Say, useSay } from "@/shared/i18n/sentences";

/** What the server said, and of its fields what it didn't say already. */
export function wholeText({ status, problem }: ApiError, say: Say): string {
  const said = problem.detail ?? problem.title ?? `HTTP ${status}`;
  const more = Object.values(problem.fields ?? {})
    .flat()
    .filter((text) => !said.includes(text));
  return [said, ...more].map(say).join(" ");
}

/** A plain sentence for an error, in the reader's language where the server gave none. */
export function useErrorText(error: unknown): string | null {
  const { t } = useTranslation();
  const say = useSay();
  if (!error) return null;
  if (typeof error === "string") return say(error);
  if (!(error instanceof ApiError)) return say(error instanceof Error ? error.message : String(error));
  if (error.status === 0) return t("errors.offline");
  switch (error.problem.code) {
    case "unreadable":
      return t("errors.unreadable");
    case "token_used":
      return t("errors.token_used");
    case "token_expired":
      return t("errors.token_expired");
    case "token_unknown":
      return t("errors.token_unknown");
  }
  if (error.status === 403 && !error.problem.detail) return t("errors.forbidden");
  return wholeText(error, say);
}

/** What the server said about fields of a form, in the reader's language; gives the text for a field's name. */
export function useFieldText(error: unknown): (name: string) => string | undefined {
  const say = useSay();
  return (name) => (error instanceof ApiError ? error.problem.fields?.[name]?.map(say).join(" ") : undefined);
}
