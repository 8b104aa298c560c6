import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDraft } from "./DraftContext";
import classes from "./Editor.module.css";

function Alert() {
  const { t } = useTranslation();
  const [shown, setShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), 4000);
    return () => clearTimeout(timer);
  }, []);
  return shown ? (
    <div className={classes.refusal} role="alert">
      {t("form.refusedLong")}
    </div>
  ) : null;
}

/** Says for a few seconds that an edit could not be written, and that the text was left as it is. */
export function Refusal() {
  const refusal = useDraft((state) => state.refusal);
  return refusal > 0 ? <Alert key={refusal} /> : null;
}
