import { useTranslation } from "react-i18next";
import { useSay } from "@/shared/i18n/sentences";
import type { JsonNode } from "@/shared/json/exact";
import { DiffTree } from "./DiffTree";
import type { Line, PartName, Row } from "./lines";
import classes from "./Compare.module.css";

const ORDER: PartName[] = ["error", "output", "delta", "question", "variables", "answer", "request"];

/** The values of a step in both runs, beside each other. */
export function RowDetail({ row, nameOf }: { row: Row; nameOf: (line: Line) => string }) {
  const { t } = useTranslation();
  const say = useSay();
  const line = (row.left ?? row.right)!;
  const parts = ORDER.filter((name) => row.left?.parts[name] ?? row.right?.parts[name]);
  const shown = (name: PartName, part: JsonNode | undefined) =>
    (name === "error" && part?.kind === "string" ? { ...part, value: say(part.value) } : part) ?? null;
  const title = t("compare.valuesOf", { name: nameOf(line) });
  return (
    <section className={classes.detail} aria-label={title}>
      <h2>{title}</h2>
      {parts.length === 0 && <p className="muted">{t("compare.noValues")}</p>}
      {parts.map((name) => (
        <DiffTree
          key={`${row.left?.id}>${row.right?.id}>${name}`}
          title={t(`compare.part.${name}`)}
          left={shown(name, row.left?.parts[name])}
          right={shown(name, row.right?.parts[name])}
        />
      ))}
    </section>
  );
}
