import { Tooltip } from "@mantine/core";
import { IconHelpCircle, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "@/shared/session/session";
import { Logo } from "@/shared/ui/Logo";
import { placesFor } from "./places";
import { UserMenu } from "./UserMenu";
import classes from "./Shell.module.css";

interface Props {
  compact: boolean;
  onGoTo: () => void;
  onHelp: () => void;
}

function Named({ compact, label, children }: { compact: boolean; label: string; children: ReactElement }) {
  return (
    <Tooltip label={label} position="right" disabled={!compact}>
      {children}
    </Tooltip>
  );
}

export function Rail({ compact, onGoTo, onHelp }: Props) {
  const { t } = useTranslation();
  const session = useSession();
  const places = placesFor(session);
  return (
    <nav className={compact ? `${classes.rail} ${classes.compact}` : classes.rail} aria-label={t("places.navigation")}>
      <Link to="/tools" className={classes.brand} aria-label="Workbench">
        <Logo />
        {!compact && "Workbench"}
      </Link>
      <Named compact={compact} label={t("goTo.open")}>
        <button
          type="button"
          className={classes.item}
          onClick={onGoTo}
          aria-label={t("goTo.open")}
          aria-keyshortcuts="Control+K"
        >
          <IconSearch size={18} aria-hidden="true" />
          {!compact && <span>{t("goTo.open")}</span>}
          {!compact && <kbd aria-hidden="true">Ctrl K</kbd>}
        </button>
      </Named>
      {places.map(({ to, label, icon: Icon }) => (
        <Named key={label} compact={compact} label={t(label)}>
          <Link
            to={to}
            className={classes.item}
            aria-label={t(label)}
            activeOptions={{ exact: false, includeSearch: false }}
          >
            <Icon size={18} aria-hidden="true" />
            {!compact && t(label)}
          </Link>
        </Named>
      ))}
      <div className={classes.space} />
      <Named compact={compact} label={t("help.open")}>
        <button
          type="button"
          className={classes.item}
          onClick={onHelp}
          aria-label={t("help.open")}
          aria-keyshortcuts="?"
        >
          <IconHelpCircle size={18} aria-hidden="true" />
          {!compact && <span>{t("help.open")}</span>}
          {!compact && <kbd aria-hidden="true">?</kbd>}
        </button>
      </Named>
      <UserMenu compact={compact} />
    </nav>
  );
}
