import { Tooltip } from "@mantine/core";
import { IconHelpCircle, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { MOST_COUNTED, useWaitingCount } from "@/features/runs/useWaitingCount";
import { useSession } from "@/shared/session/session";
import { Logo } from "@/shared/ui/Logo";
import { type Place, placesFor } from "./places";
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

/** Says that the number of questions changed, to those who can't see it; not what it was when the page came. */
function Announcement({ count }: { count: number | null }) {
  const { t } = useTranslation();
  const [said, say] = useState("");
  const before = useRef(count);
  useEffect(() => {
    if (count !== null && before.current !== null && count !== before.current) say(t("places.waitingCount", { count }));
    before.current = count;
  }, [count, t]);
  return (
    <span role="status" className="visually-hidden">
      {said}
    </span>
  );
}

function PlaceLink({
  place: { to, label, icon: Icon },
  compact,
  count,
}: {
  place: Place;
  compact: boolean;
  count: number;
}) {
  const { t } = useTranslation();
  const name = count > 0 ? `${t(label)}: ${t("places.waitingCount", { count })}` : t(label);
  return (
    <Named compact={compact} label={name}>
      <Link to={to} className={classes.item} aria-label={name} activeOptions={{ exact: false, includeSearch: false }}>
        <Icon size={18} aria-hidden="true" />
        {!compact && t(label)}
        {count > 0 && (
          <span className={classes.count} aria-hidden="true">
            {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}
          </span>
        )}
      </Link>
    </Named>
  );
}

export function Rail({ compact, onGoTo, onHelp }: Props) {
  const { t } = useTranslation();
  const session = useSession();
  const places = placesFor(session);
  const waiting = useWaitingCount();
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
      {places.map((place) => (
        <PlaceLink
          key={place.label}
          place={place}
          compact={compact}
          count={place.to === "/questions" ? (waiting ?? 0) : 0}
        />
      ))}
      <Announcement count={waiting} />
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
