import { IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./EarlierButton.module.css";

/** Unfolds the saves that came shortly before the one above. */
export function EarlierButton({ count, open, onToggle }: { count: number; open: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className={classes.earlier} aria-expanded={open} onClick={onToggle}>
      <IconChevronRight size={14} aria-hidden="true" />
      {t(open ? "history.fewer" : "history.earlier", { count })}
    </button>
  );
}
