import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";

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
  const fields = Object.values(error.problem.fields ?? {})
    .flat()
    .join(" ");
  if (error.status === 403 && !error.problem.detail) return t("errors.forbidden");
  return [error.problem.detail ?? error.problem.title ?? `HTTP ${error.status}`, fields].filter(Boolean).join(" ");
}
