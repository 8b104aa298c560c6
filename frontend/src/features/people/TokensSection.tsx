import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cursorOf } from "@/shared/api/cursor";
import type { Token } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { Confirm } from "@/shared/ui/Confirm";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import table from "@/shared/ui/Table.module.css";
import { NewToken } from "./NewToken";
import { tokenList } from "./requests/tokenList";
import { tokenRevoke } from "./requests/tokenRevoke";
import classes from "./People.module.css";

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
