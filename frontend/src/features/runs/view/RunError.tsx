import { Button } from "@mantine/core";
import { IconCircleX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RunError } from "@/shared/api/shapes";
import { Said } from "@/shared/ui/Said";
import classes from "./Run.module.css";

const KINDS = [
  "params",
  "request",
  "egress",
  "header",
  "too_large",
  "extract",
  "path_syntax",
  "regex_syntax",
  "not_structured",
  "config",
  "step_limit",
] as const;
type Kind = (typeof KINDS)[number];

const FIELDS: Partial<Record<Kind, string>> = {
  request: "url",
  egress: "url",
  header: "headers",
  extract: "var",
  path_syntax: "var",
  regex_syntax: "var",
  not_structured: "var",
  config: "next",
  step_limit: "next",
};

/** What went wrong, in a plain sentence, where, and the way to the field. */
export function RunErrorCard({
  error,
  refusal = null,
  onGoTo,
}: {
  error: RunError;
  /** The status of the answer in which something was missed, where the server refused. */
  refusal?: number | null;
  onGoTo?: (path: string) => void;
}) {
  const { t } = useTranslation();
  const kind = KINDS.find((one) => one === error.kind);
  const title = kind ? t(`runError.${kind}`) : t("runError.other");
  const hint =
    refusal !== null
      ? t("runErrorHint.refused", { status: refusal })
      : kind === "params" || kind === "not_structured" || kind === "step_limit"
        ? t(`runErrorHint.${kind}`)
        : null;
  const path =
    error.step === null
      ? kind === "params"
        ? "params"
        : null
      : `steps[${error.step}].${(kind && FIELDS[kind]) ?? "url"}`;
  return (
    <div className={classes.error} role="alert">
      <IconCircleX size={18} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{error.step === null ? title : t("runError.atStep", { n: error.step, title })}</b>
        </p>
        <p style={{ overflowWrap: "anywhere" }}>
          <Said text={error.message} />
        </p>
        {hint && <p className="muted">{hint}</p>}
        {onGoTo && path && (
          <Button mt={8} size="compact-sm" variant="default" onClick={() => onGoTo(path)}>
            {t("run.mend")}
          </Button>
        )}
      </div>
    </div>
  );
}
