import { useTranslation } from "react-i18next";
import type { SentRequest } from "../fold";
import { LongTextBlock } from "./AnswerView";
import { ShowAll, useWholeText } from "./CutText";
import { NameValues } from "./NameValues";
import classes from "./Run.module.css";

/** What was sent, with secrets hidden by the server. */
export function RequestView({ run, request }: { run: string; request: SentRequest }) {
  const { t } = useTranslation();
  const body = useWholeText(run, request.body);
  return (
    <div className={classes.part}>
      <p className="mono" style={{ overflowWrap: "anywhere" }}>
        <b>{request.method}</b> {request.url}
      </p>
      <NameValues values={request.headers} />
      {body.text !== "" && (
        <>
          <span className="muted small">{t("run.body")}</span>
          <LongTextBlock text={body.text} label={t("run.body")} />
          <ShowAll whole={body} />
        </>
      )}
    </div>
  );
}
