import { Anchor } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/client";
import { useMay } from "../session/session";
import { Said } from "./Said";
import { useErrorText } from "./useErrorText";
import classes from "./ErrorLine.module.css";

/** The way to where the names that a run lacks are put in, for who may do that. */
function ToEnvironments() {
  const { t } = useTranslation();
  if (!useMay("environments.write")) return null;
  return (
    <Anchor component={Link} to="/environments" inherit>
      {t("errors.toEnvironments")}
    </Anchor>
  );
}

/** One error, in place, in a plain sentence. */
export function ErrorLine({ error }: { error: unknown }) {
  const text = useErrorText(error);
  if (!text) return null;
  return (
    <div role="alert" className={classes.line}>
      <IconAlertCircle size={16} aria-hidden="true" />
      <span>
        <Said text={text} />{" "}
        {error instanceof ApiError && error.problem.code === "environment_incomplete" && <ToEnvironments />}
      </span>
    </div>
  );
}
