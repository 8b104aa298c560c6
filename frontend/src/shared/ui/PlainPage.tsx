import { Button } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import { useErrorText } from "./useErrorText";
import classes from "./PlainPage.module.css";

interface Props {
  title: string;
  text: string;
  /** Whether it may help to load the page anew. */
  reload?: boolean;
}

/** How browsers and the loader of the pages say that a part of them didn't come. */
const UNLOADED = /dynamically imported module|importing a module script|unable to preload/i;

/** The list nearest to the address, for whoever does not get any further there. */
const LISTS = [
  { to: "/graphs", label: "errors.toGraphs" },
  { to: "/runs", label: "errors.toRuns" },
  { to: "/tools", label: "errors.toTools" },
] as const;

export function PlainPage({ title, text, reload }: Props) {
  const { t } = useTranslation();
  const at = useLocation({ select: ({ pathname }) => pathname });
  const list = LISTS.find(({ to }) => at.startsWith(`${to}/`)) ?? LISTS.at(-1)!;
  return (
    <main className={classes.page}>
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      <div className="row">
        {reload && <Button onClick={() => location.reload()}>{t("errors.reload")}</Button>}
        <Button component={Link} to={list.to} variant="default">
          {t(list.label)}
        </Button>
      </div>
    </main>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation();
  return <PlainPage title={t("errors.notFoundTitle")} text={t("errors.notFound")} />;
}

export function ForbiddenPage() {
  const { t } = useTranslation();
  return <PlainPage title={t("errors.forbiddenTitle")} text={t("errors.forbidden")} />;
}

/** The page for a request that failed as a whole. */
export function FailedPage({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const text = useErrorText(error) ?? "";
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  if (error instanceof ApiError && error.status === 403) return <ForbiddenPage />;
  if (error instanceof Error && !(error instanceof ApiError) && UNLOADED.test(error.message))
    return <PlainPage title={t("errors.failedTitle")} text={t("errors.unloaded")} reload />;
  return <PlainPage title={t("errors.failedTitle")} text={text} />;
}
