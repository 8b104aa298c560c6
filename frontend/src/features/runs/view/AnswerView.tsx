import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { objectLists } from "@/shared/json/lists";
import { JsonTree } from "@/shared/ui/JsonTree";
import { TextBlock } from "@/shared/ui/TextBlock";
import { LinkButton } from "@/shared/ui/LinkButton";
import type { GotResponse } from "../fold";
import { AnswerTable } from "./AnswerTable";
import { ShowAll, useWholeText } from "./CutText";
import type { TakeValue } from "./TakeValue";
import { useAnswerTree } from "./useAnswerTree";
import { NameValues } from "./NameValues";
import classes from "./Run.module.css";

const MUCH = 20_000;

/** A long text in the page a piece at a time, so that it stays quick. */
export function LongTextBlock({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(MUCH);
  return (
    <>
      <TextBlock text={text.length > limit ? `${text.slice(0, limit)}…` : text} label={label} />
      {text.length > limit && (
        <LinkButton onClick={() => setLimit(limit * 10)}>{t("tree.all", { count: text.length })}</LinkButton>
      )}
    </>
  );
}

interface Props {
  run: string;
  response: GotResponse;
  step: number;
  take: TakeValue | null;
}

/** What came back: as a tree where it is JSON, its lists as tables, and as text. */
export function AnswerView({ run, response, step, take }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const whole = useWholeText(run, response.text);
  const tree = useAnswerTree(whole.text, !whole.cut);
  const [picked, setPicked] = useState<string | null>(null);
  const lists = useMemo(() => (tree ? objectLists(tree) : []), [tree]);
  const [list, setList] = useState<string | null>(null);
  const view = picked ?? (tree ? "tree" : "text");
  const onTake = take ? (path: string) => take.path(step, path) : undefined;
  const table = lists.find(({ path }) => path === list) ?? lists[0];
  const options = [
    { value: "tree", label: t("run.tree"), disabled: !tree },
    { value: "table", label: t("run.table"), disabled: lists.length === 0 },
    { value: "text", label: t("run.text") },
    { value: "headers", label: t("run.headers") },
  ];
  return (
    <div className={classes.part}>
      <div className={classes.partHead}>
        <span className="muted small">
          {response.content_type || t("run.noType")} · {format.size(response.size)}
        </span>
        <SegmentedControl size="xs" data={options} value={view} onChange={setPicked} aria-label={t("run.answerAs")} />
      </div>
      {view === "headers" ? (
        <NameValues values={response.headers} />
      ) : (
        <>
          {view === "tree" && tree ? (
            <>
              {onTake && <p className="muted small">{t("run.takeHint")}</p>}
              <div className={classes.box}>
                <JsonTree
                  node={tree}
                  label={t("run.answer")}
                  onPick={onTake}
                  onTable={(path) => (setList(path), setPicked("table"))}
                />
              </div>
            </>
          ) : view === "table" && table ? (
            <AnswerTable key={table.path} lists={lists} shown={table} onShow={setList} onTake={onTake} />
          ) : whole.text === "" ? (
            <p className="muted">{t("run.emptyAnswer")}</p>
          ) : take ? (
            <take.Text step={step} text={whole.text} cut={whole.cut !== null} />
          ) : (
            <LongTextBlock text={whole.text} label={t("run.answer")} />
          )}
          <ShowAll whole={whole} />
        </>
      )}
    </div>
  );
}
