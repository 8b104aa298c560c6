import { useTranslation } from "react-i18next";
import { ValueView } from "@/shared/ui/ValueView";
import { type FoundVariable, isCut } from "../fold";
import { LongTextBlock } from "./AnswerView";
import { ShowAll, useWholeText } from "./CutText";
import classes from "./Run.module.css";

function CutVariable({ run, variable }: { run: string; variable: FoundVariable }) {
  const whole = useWholeText(run, isCut(variable.value) ? variable.value : isCut(variable.text) ? variable.text : null);
  return (
    <div className={classes.part}>
      <LongTextBlock text={whole.text} label={variable.name} />
      <ShowAll whole={whole} />
    </div>
  );
}

/** What a step took out of its answer, and what happened where nothing was found. */
export function VariableList({ run, variables }: { run: string; variables: FoundVariable[] }) {
  const { t } = useTranslation();
  return (
    <dl className={classes.variables}>
      {variables.map((variable, index) => (
        <div key={index}>
          <dt>{variable.name}</dt>
          <dd>
            {variable.missing && <span className={classes.missing}>{t(`run.missing.${variable.missing}`)}</span>}
            {variable.missing === "empty" ? null : isCut(variable.value) || isCut(variable.text) ? (
              <CutVariable run={run} variable={variable} />
            ) : (
              <ValueView value={variable.value} label={variable.name} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
