import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconLogout, IconMoon, IconSettings, IconSun, IconUserCircle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "@/shared/session/session";
import { useSignOut } from "./useSignOut";
import classes from "./Shell.module.css";

export function UserMenu({ compact }: { compact: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  if (!session) return null;
  return (
    <Menu position="right-end" width={200}>
      <Menu.Target>
        <button
          type="button"
          className={classes.item}
          aria-label={t("session.menu", { name: session.username })}
          style={{ height: 44 }}
        >
          <IconUserCircle size={20} aria-hidden="true" />
          {!compact && (
            <span className={classes.who}>
              <span className="truncate">{session.username}</span>
              <span className="small muted">{t(`roles.${session.role}`)}</span>
            </span>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.username} · {t(`roles.${session.role}`)}
        </Menu.Label>
        <Menu.Item leftSection={<IconSun size={16} />} onClick={() => setColorScheme("light")}>
          {t("theme.light")}
        </Menu.Item>
        <Menu.Item leftSection={<IconMoon size={16} />} onClick={() => setColorScheme("dark")}>
          {t("theme.dark")}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => void navigate({ to: "/settings" })}>
          {t("places.settings")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={leave}>
          {t("session.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
