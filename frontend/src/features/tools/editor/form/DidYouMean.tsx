import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { tryParseJson } from "@/shared/json/exact";
import { meantBy } from "@/shared/json/paths";
import { useRunStart } from "../run/RunStart";
import { useForm } from "./FormContext";
import classes from "./Form.module.css";

/** Longer answers are not looked through at every key. */
const LONGEST = 200_000;

interface Props {
  step: number;
  extract: string;
  onPick: (path: string) => void;
}

/** For a path that the step's last answer doesn't have: those of the answer that end with it. */
export function DidYouMean({ step, extract, onPick }: Props) {
  const { t } = useTranslation();
  const { readOnly } = useForm();
  const { view } = useRunStart().journal;
  const text = view.visits.findLast((visit) => visit.step === step)?.response?.text;
  const root = useMemo(() => (typeof text === "string" && text.length <= LONGEST ? tryParseJson(text) : null), [text]);
  const meant = useMemo(() => (root ? meantBy(extract, root) : []), [root, extract]);
  if (meant.length === 0) return null;
  return (
    <p className={classes.warned} role="status">
      {t("form.notInAnswer", { path: extract })}{" "}
      {meant.map((path) => (
        <button key={path} type="button" className={classes.meant} disabled={readOnly} onClick={() => onPick(path)}>
          {path}
        </button>
      ))}
    </p>
  );
}
