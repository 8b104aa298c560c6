import { Button } from "@mantine/core";
import { IconArrowsLeftRight } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { tryParseJson } from "@/shared/json/exact";
import { useTitle } from "@/shared/hooks/useTitle";
import { PageFrame } from "@/shared/ui/PageFrame";
import { FailedPage } from "@/shared/ui/PlainPage";
import { Waiting } from "@/shared/ui/Waiting";
import classes from "./Compare.module.css";
import { CompareFacts } from "./CompareFacts";
import { DiffTree } from "./DiffTree";
import { align, type Line } from "./lines";
import { LineTable } from "./LineTable";
import { RowDetail } from "./RowDetail";
import { comparable } from "./treeDiff";
import { type Compared, useCompared } from "./useCompared";

function outputOf({ output, run }: Compared) {
  if (output === undefined || output === null) return null;
  const parsed = run.kind === "tool" && typeof output === "string" ? tryParseJson(output) : null;
  return parsed ?? comparable(output);
}

function Comparison({ sides }: { sides: [Compared, Compared] }) {
  const { t } = useTranslation();
  const [left, right] = sides;
  const [picked, setPicked] = useState<number | null>(null);
  const rows = useMemo(() => align(left.lines, right.lines), [left, right]);
  const first = rows.findIndex(({ same }) => !same);
  const differing = rows.filter(({ same }) => !same).length;
  const at = Math.min(picked ?? Math.max(0, first), rows.length - 1);
  const tool = left.run.kind === "tool";
  const nameOf = (line: Line) => (tool ? t("form.stepN", { n: line.name }) : line.name);
  return (
    <div className={classes.page}>
      <CompareFacts sides={sides} />
      <DiffTree title={t("run.input")} left={comparable(left.run.inputs)} right={comparable(right.run.inputs)} />
      <DiffTree title={t("run.output")} left={outputOf(left)} right={outputOf(right)} />
      <section className={classes.part} aria-label={t("compare.lines")}>
        <div className={classes.head}>
          <h2>{t("compare.lines")}</h2>
          <span className="muted" role="status">
            {first < 0 ? t("compare.allSame") : t("compare.differing", { count: differing })}
          </span>
          <span className="grow" />
          {first >= 0 && (
            <Button variant="default" size="compact-sm" onClick={() => setPicked(first)}>
              {t("compare.toFirst")}
            </Button>
          )}
        </div>
        {rows.length === 0 ? (
          <p className="muted">{t("run.visit.none")}</p>
        ) : (
          <div className={classes.split}>
            <LineTable
              rows={rows}
              first={first}
              picked={at}
              onPick={setPicked}
              nameOf={nameOf}
              names={[left.run.id.slice(0, 8), right.run.id.slice(0, 8)]}
            />
            <RowDetail row={rows[at]!} nameOf={nameOf} />
          </div>
        )}
      </section>
    </div>
  );
}

/** Two runs beside each other: how they stood, what came out, and where they first went different ways. */
export function ComparePage() {
  const { t } = useTranslation();
  const { id, other } = useParams({ strict: false }) as { id: string; other: string };
  const [left, right] = [useCompared(id), useCompared(other)];
  useTitle(t("compare.title"));
  const error = left.error ?? right.error;
  if (error && !(left.data && right.data)) return <FailedPage error={error} />;
  if (!left.data || !right.data) return <Waiting />;
  const kinds = new Set([left.data.run.kind, right.data.run.kind]);
  return (
    <PageFrame
      title={t("compare.title")}
      actions={
        <Button
          component={Link}
          to="/runs/$id/compare/$other"
          params={{ id: other, other: id } as never}
          variant="default"
          leftSection={<IconArrowsLeftRight size={14} />}
        >
          {t("compare.swap")}
        </Button>
      }
    >
      {kinds.size > 1 ? (
        <p className="muted">{t("compare.kinds")}</p>
      ) : (
        <Comparison key={`${id}>${other}`} sides={[left.data, right.data]} />
      )}
    </PageFrame>
  );
}
