import { Anchor } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { GivenAnswer } from "./answers";
import classes from "./Graph.module.css";

/** An answer that was just given, where its question stood. */
export function AnsweredCard({ given }: { given: GivenAnswer }) {
  const { t } = useTranslation();
  return (
    <section className={classes.lost} role="status" aria-label={t("run.ask.from", { node: given.node })}>
      <IconCircleCheck size={18} aria-hidden="true" />
      <div className="grow">
        <p className="muted small">{given.asked}</p>
        <p className={classes.typed}>{t("run.ask.answered", { answer: given.answer })}</p>
      </div>
      <Anchor component={Link} to="/runs/$id" params={{ id: given.run } as never} size="sm">
        {t("run.ask.openRun")}
      </Anchor>
    </section>
  );
}
