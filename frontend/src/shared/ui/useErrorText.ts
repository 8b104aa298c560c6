import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";

/** What the server said, and of its fields what it didn't say already. */
export function wholeText({ status, problem }: ApiError): string {
  const said = problem.detail ?? problem.title ?? `HTTP ${status}`;
  const more = Object.values(problem.fields ?? {})
    .flat()
    .filter((text) => !said.includes(text));
  return [said, ...more].join(" ");
}

/** A plain sentence for an error, in the reader's language where the server gave none. */
export function useErrorText(error: unknown): string | null {
  const { t } = useTranslation();
  if (!error) return null;
  if (typeof error === "string") return error;
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return t("errors.offline");
  switch (error.problem.code) {
    case "token_used":
      return t("errors.token_used");
    case "token_expired":
      return t("errors.token_expired");
    case "token_unknown":
      return t("errors.token_unknown");
  }
  if (error.status === 403 && !error.problem.detail) return t("errors.forbidden");
  return wholeText(error);
}
