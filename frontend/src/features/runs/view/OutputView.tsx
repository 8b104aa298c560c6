import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { tryParseJson } from "@/shared/json/exact";
import { JsonTree } from "@/shared/ui/JsonTree";
import { ValueView } from "@/shared/ui/ValueView";
import { isCut } from "../fold";
import { LongTextBlock } from "./AnswerView";
import { ShowAll, useWholeText } from "./CutText";
import classes from "./Run.module.css";

/** What the run gave. */
export function OutputView({ run, output }: { run: string; output: unknown }) {
  const { t } = useTranslation();
  const isText = typeof output === "string" || isCut(output);
  const whole = useWholeText(run, isText ? (output as string) : null);
  const tree = useMemo(() => {
    const node = isText && !whole.cut ? tryParseJson(whole.text) : null;
    return node && (node.kind === "object" || node.kind === "array") ? node : null;
  }, [isText, whole.text, whole.cut]);
  if (!isText)
    return (
      <div className={classes.box}>
        <ValueView value={output} label={t("run.output")} />
      </div>
    );
  if (whole.text === "") return <p className="muted">{t("run.emptyOutput")}</p>;
  return (
    <div className={classes.part}>
      {tree ? (
        <div className={classes.box}>
          <JsonTree node={tree} label={t("run.output")} />
        </div>
      ) : (
        <LongTextBlock text={whole.text} label={t("run.output")} />
      )}
      <ShowAll whole={whole} />
    </div>
  );
}
