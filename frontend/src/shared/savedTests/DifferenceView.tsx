import { useTranslation } from "react-i18next";
import type { Difference } from "@/shared/api/shapes";
import { useSay } from "@/shared/i18n/sentences";
import { differenceSides, differenceText } from "./differenceText";
import classes from "./SavedTests.module.css";

/** The first difference of a replay: what it is, what was recorded, what comes now. */
export function DifferenceView({ difference }: { difference: Difference }) {
  const { t } = useTranslation();
  const say = useSay();
  const { before, now } = differenceSides(difference, t, say);
  return (
    <div className={classes.difference}>
      <p>{say(differenceText(difference, t))}</p>
      {(before !== undefined || now !== undefined) && (
        <dl>
          {before !== undefined && (
            <div>
              <dt>{t("tests.recorded")}</dt>
              <dd>{before}</dd>
            </div>
          )}
          {now !== undefined && (
            <div>
              <dt>{t("tests.now")}</dt>
              <dd data-now>{now}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  );
}
