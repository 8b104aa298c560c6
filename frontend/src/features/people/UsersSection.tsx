import { ActionIcon, Badge, Button, Menu, Tooltip } from "@mantine/core";
import { IconDots, IconKey, IconLogout, IconUserCheck, IconUserOff, IconUserPlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Role, User } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { usePages } from "@/shared/hooks/usePages";
import { useSession } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import { MoreRows } from "@/shared/ui/MoreRows";
import table from "@/shared/ui/Table.module.css";
import { TableHead } from "@/shared/ui/TableParts";
import { Waiting } from "@/shared/ui/Waiting";
import { InviteDialog } from "./InviteDialog";
import { LinkDialog } from "./LinkDialog";
import { userEndSessions } from "./requests/userEndSessions";
import { userList } from "./requests/userList";
import { userReset } from "./requests/userReset";
import { userUpdate } from "./requests/userUpdate";
import { ROLES } from "./roles";
import classes from "./People.module.css";

function useUserActions() {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ["users"] });
  const update = useMutation({
    mutationFn: ({ name, ...body }: { name: string; role?: Role; active?: boolean }) => userUpdate(name, body),
    onSettled: refresh,
  });
  const reset = useMutation({ mutationFn: userReset, onSuccess: refresh });
  const end = useMutation({ mutationFn: userEndSessions });
  return { update, reset, end };
}

function UserRow({ user, actions }: { user: User; actions: ReturnType<typeof useUserActions> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const me = useSession()?.username === user.username;
  const name = user.username;
  return (
    <tr>
      <td>
        <div className="truncate" title={name}>
          <b>{name}</b>
          {me && <span className="muted"> · {t("people.you")}</span>}
        </div>
        <div className="muted small truncate" title={user.email}>
          {user.email}
        </div>
      </td>
      <td>
        <Tooltip label={t("people.ownRole")} disabled={!me}>
          <LockableSelect
            aria-label={t("people.roleOf", { name })}
            data={ROLES.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
            value={user.role}
            readOnly={me}
            w={140}
            onChange={(role) => role && actions.update.mutate({ name, role: role as Role })}
          />
        </Tooltip>
      </td>
      <td>
        <Badge variant="outline" style={{ flex: "none" }} color={!user.active ? "red" : "gray"} tt="none" fw={400}>
          {t(!user.active ? "people.disabled" : user.pending ? "people.pending" : "people.active")}
        </Badge>
      </td>
      <td className={`muted ${table.once}`}>{format.ago(user.last_login)}</td>
      <td>
        <div className={table.actions}>
          <Menu>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t("people.actionsOf", { name })}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconKey size={15} />} onClick={() => actions.reset.mutate(name)}>
                {t("people.resetLink")}
              </Menu.Item>
              <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => actions.end.mutate(name)}>
                {t("people.endSessions")}
              </Menu.Item>
              {!me && (
                <Menu.Item
                  leftSection={user.active ? <IconUserOff size={15} /> : <IconUserCheck size={15} />}
                  onClick={() => actions.update.mutate({ name, active: !user.active })}
                >
                  {t(user.active ? "people.disable" : "people.enable")}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </div>
      </td>
    </tr>
  );
}

export function UsersSection() {
  const { t } = useTranslation();
  const [inviting, setInviting] = useState(false);
  const actions = useUserActions();
  const users = usePages(["users"], userList);
  const rows = users.rows;
  return (
    <section className={classes.part} aria-label={t("people.users")}>
      <div className={classes.head}>
        <h2>{t("people.users")}</h2>
        <Button leftSection={<IconUserPlus size={15} />} onClick={() => setInviting(true)}>
          {t("people.invite")}
        </Button>
      </div>
      <ErrorLine error={users.error ?? actions.update.error ?? actions.reset.error ?? actions.end.error} />
      {actions.end.isSuccess && (
        <p role="status" className="muted">
          {t("people.sessionsEnded", { name: actions.end.variables })}
        </p>
      )}
      {users.isPending ? (
        <Waiting />
      ) : (
        <div className={table.wrap}>
          <table className={`${table.table} ${table.fixed}`} aria-label={t("people.users")}>
            <TableHead
              columns={[
                { label: t("session.username") },
                { label: t("people.role"), width: 172 },
                { label: t("people.state"), width: 120 },
                { label: t("people.lastSeen"), width: 140 },
              ]}
              actions={64}
            />
            <tbody>
              {rows.map((user) => (
                <UserRow key={user.username} user={user} actions={actions} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <MoreRows of={users} />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {actions.reset.data && (
        <LinkDialog
          title={t("people.resetLink")}
          text={t("people.resetText", { name: actions.reset.variables })}
          link={actions.reset.data.set_up_link}
          onClose={actions.reset.reset}
        />
      )}
    </section>
  );
}
