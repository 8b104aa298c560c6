import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSay } from "@/shared/i18n/sentences";
import { useDraft } from "./DraftContext";
import classes from "./Editor.module.css";
import { usePasteGuard } from "./usePasteGuard";

function Alert({ told }: { told?: string }) {
  const { t } = useTranslation();
  const say = useSay();
  const [shown, setShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), 4000);
    return () => clearTimeout(timer);
  }, []);
  return shown ? (
    <div className={classes.refusal} role="alert">
      {told === undefined ? t("form.refusedLong") : t("form.refusedPaste", { why: say(told) })}
    </div>
  ) : null;
}

/** Says for a few seconds that an edit or a paste was refused, and that the text was left as it is. */
export function Refusal() {
  const { n, told } = useDraft((state) => state.refusal);
  usePasteGuard();
  return n > 0 ? <Alert key={n} told={told} /> : null;
}
