import { IconPlugConnectedX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLinks } from "@/shared/socket/live";
import classes from "./ConnectionMark.module.css";

/** Says that the live link is down, and nothing while it is up. */
export function ConnectionMark() {
  const { t } = useTranslation();
  const linkDown = useLinks((state) => state.down.size > 0);
  const [offline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const changed = () => setOffline(!navigator.onLine);
    window.addEventListener("online", changed);
    window.addEventListener("offline", changed);
    return () => {
      window.removeEventListener("online", changed);
      window.removeEventListener("offline", changed);
    };
  }, []);
  return (
    <div role="status" className={classes.place}>
      {(linkDown || offline) && (
        <span className={classes.mark}>
          <IconPlugConnectedX size={16} aria-hidden="true" />
          {t("connection.down")}
        </span>
      )}
    </div>
  );
}
