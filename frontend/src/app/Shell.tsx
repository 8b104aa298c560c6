import { useHotkeys, useViewportSize } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SignInAgain } from "@/features/session/SignInAgain";
import { onSignedOut } from "@/shared/api/client";
import { useLostSession, useSession } from "@/shared/session/session";
import { ConnectionMark } from "@/shared/ui/ConnectionMark";
import { Rail } from "./Rail";
import classes from "./Shell.module.css";

const loadGoTo = () => import("./GoTo");
const QUIET_MS = 800;
type GoToDialog = Awaited<ReturnType<typeof loadGoTo>>["default"];
/** Once it is loaded it is drawn at once; a lazy component is held back for a third of a second. */
let loadedGoTo: GoToDialog | null = null;
const LazyGoTo = lazy(loadGoTo);
const HelpPanel = lazy(() => import("./HelpPanel"));

/** The house around every page: the rail, Ctrl+K, help, and the dialog that a lost session needs. */
export function Shell() {
  const { t } = useTranslation();
  const session = useSession();
  const lose = useLostSession((state) => state.lose);
  const discard = useLostSession((state) => state.discard);
  const [GoTo, setGoTo] = useState<GoToDialog | typeof LazyGoTo | null>(null);
  const openGoTo = () => setGoTo(() => loadedGoTo ?? LazyGoTo);
  const [help, setHelp] = useState(false);
  const before = useRef<HTMLElement | null>(null);
  const openHelp = () => {
    before.current = document.activeElement as HTMLElement | null;
    setHelp(true);
  };
  /** Gives the focus back to where it was; the drawer was drawn open, so it doesn't know. */
  const closeHelp = () => {
    setHelp(false);
    setTimeout(() => {
      const known = before.current?.isConnected && before.current !== document.body ? before.current : null;
      (known ?? document.getElementById("canvas") ?? document.getElementById("content"))?.focus?.();
    });
  };
  const { pathname } = useLocation();
  const { width } = useViewportSize();
  const wide = /^\/runs\/./.test(pathname) ? 1200 : 960;
  const compact = /^\/(tools|graphs)\/./.test(pathname) || (width > 0 && width < wide);

  useEffect(() => onSignedOut(() => lose(session?.username ?? null)), [lose, session?.username]);
  const first = useRef<string | null>(null);
  useEffect(() => {
    const now = session?.username ?? null;
    first.current ??= now;
    if (now === null || now === first.current) return;
    discard();
    setTimeout(() => window.location.assign("/tools"));
  }, [session?.username, discard]);
  // Who presses Ctrl+K types on at once: the field must be there by then.
  useEffect(() => {
    const timer = setTimeout(() => void loadGoTo().then((loaded) => (loadedGoTo = loaded.default)), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  useHotkeys([["mod+K", openGoTo]], [], true);
  useHotkeys([
    ["shift+?", openHelp],
    ["?", openHelp],
  ]);

  return (
    <div className={classes.shell} data-compact={compact || undefined}>
      <a href="#content" className={classes.skip}>
        {t("common.skip")}
      </a>
      {/^\/graphs\/./.test(pathname) && (
        <a
          href="#canvas"
          className={classes.skip}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById("canvas")?.focus();
          }}
        >
          {t("common.skipToCanvas")}
        </a>
      )}
      <Rail compact={compact} onGoTo={openGoTo} onHelp={openHelp} />
      <div id="content" className={classes.content} tabIndex={-1}>
        <Outlet />
      </div>
      <ConnectionMark />
      <SignInAgain />
      <Suspense>
        {GoTo && <GoTo onClose={() => setGoTo(null)} onHelp={openHelp} />}
        {help && <HelpPanel onClose={closeHelp} />}
      </Suspense>
    </div>
  );
}
