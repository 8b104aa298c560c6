import { useTranslation } from "react-i18next";
import { isCut } from "@/features/runs/fold";
import { fromPlain, writeJson } from "@/shared/json/exact";
import { useRunStart } from "../run/RunStart";
import classes from "./Form.module.css";

const REFERENCE = /\$\$\{|\$\{(param|step(\d+)):([^}\s]+)\}/g;
const LONGEST = 60;

function shortText(value: unknown): string {
  const text = isCut(value) ? value.head : typeof value === "string" ? value : writeJson(fromPlain(value));
  const line = text.replace(/\s+/g, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** What the references of a text stood for in the run that is shown. */
export function LastValues({ text }: { text: string }) {
  const { t } = useTranslation();
  const { view } = useRunStart().journal;
  const inputs = (view.inputs ?? {}) as Record<string, unknown>;
  const found = new Map<string, string>();
  for (const [whole, kind, step, name] of text.matchAll(REFERENCE)) {
    if (kind === undefined || name === undefined) continue;
    if (kind === "param" && name in inputs) found.set(whole, shortText(inputs[name]));
    const variable = view.visits
      .findLast((visit) => String(visit.step) === step)
      ?.variables.findLast((one) => one.name === name);
    if (kind !== "param" && variable)
      found.set(whole, variable.missing === "empty" ? t("value.emptyText") : shortText(variable.value));
  }
  if (found.size === 0) return null;
  return (
    <div className={classes.lastValues} aria-label={t("form.lastValues")} role="group">
      {[...found].map(([reference, value]) => (
        <span key={reference} className={classes.lastValue}>
          <code>{reference.slice(2, -1)}</code>{" "}
          <span className="truncate">{value === "" ? t("value.emptyText") : value}</span>
        </span>
      ))}
    </div>
  );
}
