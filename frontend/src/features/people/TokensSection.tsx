import { Button } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Token } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { usePages } from "@/shared/hooks/usePages";
import { Confirm } from "@/shared/ui/Confirm";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { MoreRows } from "@/shared/ui/MoreRows";
import table from "@/shared/ui/Table.module.css";
import { RowAction, TableHead } from "@/shared/ui/TableParts";
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
          <RowAction label={t("people.revoke", { name: token.name })} icon={IconTrash} onClick={onRevoke} />
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
  const tokens = usePages(["tokens"], tokenList);
  const revoke = useMutation({
    mutationFn: tokenRevoke,
    onSuccess: () => {
      setRevoking(null);
      return queries.invalidateQueries({ queryKey: ["tokens"] });
    },
  });
  const rows = tokens.rows;
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
            <TableHead
              columns={[
                { label: t("people.tokenName") },
                { label: t("people.scope"), width: 110 },
                { label: t("people.made"), width: 130, className: table.wide },
                { label: t("people.expires"), width: 200 },
                { label: t("people.used"), width: 130 },
              ]}
              actions={64}
            />
            <tbody>
              {rows.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <MoreRows of={tokens} />
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
