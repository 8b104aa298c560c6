import { ActionIcon, Button, Modal, Select, TextInput, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/shared/api/client";
import { cursorOf } from "@/shared/api/cursor";
import type { Role, Token } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { useSession } from "@/shared/session/session";
import { Confirm } from "@/shared/ui/Confirm";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import table from "@/shared/ui/Table.module.css";
import { LinkDialog } from "./LinkDialog";
import { tokenCreate } from "./requests/tokenCreate";
import { tokenList } from "./requests/tokenList";
import { tokenRevoke } from "./requests/tokenRevoke";
import { rolesUpTo } from "./roles";
import classes from "./People.module.css";

function NewToken({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const own = useSession()?.role ?? "viewer";
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Role>("operator");
  const [until, setUntil] = useState("");
  const scopes = rolesUpTo(own);
  const picked = scopes.includes(scope) ? scope : own;
  const create = useMutation({
    mutationFn: () =>
      tokenCreate({
        name: name.trim(),
        scope: picked,
        ...(until ? { expires_at: new Date(`${until}T23:59:59`).toISOString() } : {}),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const problem = create.error instanceof ApiError ? create.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  if (create.data) {
    return (
      <LinkDialog
        title={t("people.tokenMade", { name })}
        text={t("people.tokenOnce")}
        label={t("people.token")}
        link={create.data.token}
        onClose={onClose}
      />
    );
  }
  return (
    <Modal opened onClose={onClose} title={t("people.newToken")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          label={t("people.tokenName")}
          description={t("people.tokenNameHint")}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          required
          withAsterisk={false}
          data-autofocus
          error={problem?.field("name")}
        />
        <Select
          label={t("people.scope")}
          data={scopes.map((one) => ({ value: one, label: t(`roles.${one}`) }))}
          value={picked}
          onChange={(one) => one && setScope(one as Role)}
          description={t(`roles.about.${picked}`)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={problem?.field("scope")}
        />
        <TextInput
          label={t("people.expires")}
          type="date"
          value={until}
          onChange={(e) => setUntil(e.currentTarget.value)}
          description={t("people.expiresHint")}
          error={problem?.field("expires_at")}
        />
        <ErrorLine error={problem?.problem.fields ? null : create.error} />
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t("people.makeToken")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <tr>
      <td className="truncate" title={token.name}>
        <b>{token.name}</b>
      </td>
      <td>{t(`roles.${token.scope}`)}</td>
      <td className={`muted ${table.wide}`}>{format.ago(token.created_at)}</td>
      <td className="muted">{token.expires_at ? format.dateTime(token.expires_at) : t("people.noEnd")}</td>
      <td className="muted">{format.ago(token.last_used_at)}</td>
      <td>
        <div className={table.actions}>
          <Tooltip label={t("people.revoke", { name: token.name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("people.revoke", { name: token.name })}
              onClick={onRevoke}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        </div>
      </td>
    </tr>
  );
}

/** Tokens with which programs call the API in one's own name. */
export function TokensSection({ heading }: { heading: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const tokens = useInfiniteQuery({
    queryKey: ["tokens"],
    queryFn: ({ pageParam }) => tokenList(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => cursorOf(last.next),
  });
  const revoke = useMutation({
    mutationFn: tokenRevoke,
    onSuccess: () => {
      setRevoking(null);
      return queries.invalidateQueries({ queryKey: ["tokens"] });
    },
  });
  const rows = tokens.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <section className={classes.part} aria-label={t("people.tokens")}>
      <div className={classes.head}>
        {heading ? <h2>{t("people.ownTokens")}</h2> : <span />}
        <Button
          variant={heading ? "default" : "filled"}
          leftSection={<IconPlus size={15} />}
          onClick={() => setMaking(true)}
        >
          {t("people.newToken")}
        </Button>
      </div>
      {heading && <p className="muted">{t("people.tokensIntro")}</p>}
      <ErrorLine error={tokens.error} />
      <div className={table.wrap}>
        {rows.length === 0 ? (
          <p className={table.nothing}>{t("people.noTokens")}</p>
        ) : (
          <table className={`${table.table} ${table.fixed}`} aria-label={t("people.tokens")}>
            <colgroup>
              <col />
              <col style={{ width: 110 }} />
              <col className={table.wide} style={{ width: 130 }} />
              <col style={{ width: 200 }} />
              <col style={{ width: 130 }} />
              <col style={{ width: 64 }} />
            </colgroup>
            <thead>
              <tr>
                <th scope="col">{t("people.tokenName")}</th>
                <th scope="col">{t("people.scope")}</th>
                <th scope="col" className={table.wide}>
                  {t("people.made")}
                </th>
                <th scope="col">{t("people.expires")}</th>
                <th scope="col">{t("people.used")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("common.actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </tbody>
          </table>
        )}
      </div>
      {tokens.hasNextPage && (
        <Button variant="default" onClick={() => void tokens.fetchNextPage()}>
          {t("common.more")}
        </Button>
      )}
      {making && <NewToken onClose={() => setMaking(false)} />}
      {revoking && (
        <Confirm
          title={t("people.revoke", { name: revoking.name })}
          text={t("people.revokeText")}
          action={t("people.revokeShort")}
          pending={revoke.isPending}
          error={revoke.error}
          onClose={() => setRevoking(null)}
          onConfirm={() => revoke.mutate(revoking.id)}
        />
      )}
    </section>
  );
}
