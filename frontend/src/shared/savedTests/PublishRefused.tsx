import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import type { FailedTest } from "@/shared/api/shapes";
import { StateIcon } from "@/shared/ui/StateIcon";
import { DifferenceView } from "./DifferenceView";
import classes from "./SavedTests.module.css";

/** The tests for which a version was not published, if that is why. */
export function failedTests(error: unknown): FailedTest[] | null {
  if (!(error instanceof ApiError) || error.problem.code !== "tests") return null;
  return error.problem.tests ?? [];
}

interface Props {
  tests: readonly FailedTest[];
  pending: boolean;
  onAnyway: () => void;
  onClose: () => void;
}

/** Says which tests fail on the version that was to be published, and publishes it anyway. */
export function PublishRefused({ tests, pending, onAnyway, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.refused} role="alert">
      <p>{t("tests.refused", { count: tests.length })}</p>
      <ul className={classes.list}>
        {tests.map(({ id, title, difference }) => (
          <li key={id} className={classes.test}>
            <div className={classes.line}>
              <StateIcon status="failed" />
              <b className="truncate">{title}</b>
            </div>
            <DifferenceView difference={difference} />
          </li>
        ))}
      </ul>
      <div className="row" style={{ justifyContent: "flex-end" }}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("tests.back")}
        </Button>
        <Button color="red" loading={pending} onClick={onAnyway}>
          {t("tests.anyway")}
        </Button>
      </div>
    </div>
  );
}
