import { Badge, Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { VersionRow } from "@/shared/api/shapes";
import type { Folded } from "@/shared/fold";
import { useFormat } from "@/shared/hooks/useFormat";
import { useOnce } from "@/shared/hooks/useOnce";
import { useSay } from "@/shared/i18n/sentences";
import { testsKey } from "@/shared/savedTests/requests";
import { useMay } from "@/shared/session/session";
import { EarlierButton } from "@/shared/ui/EarlierButton";
import type { Draft } from "./draft";
import { useDraft, useDraftHandle } from "./DraftContext";
import classes from "./History.module.css";

/** What can be done with a version. */
export function useVersionActions() {
  const { t } = useTranslation();
  const { kind, store, saver } = useDraftHandle();
  const queries = useQueryClient();
  const name = useDraft((state) => state.draft.name);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: [kind.place, "versions", name] });
    void queries.invalidateQueries({ queryKey: [kind.place, "list"] });
  };
  const restore = useOnce({
    mutationFn: async (revision: number) => {
      if (!(await saver.flush())) throw new Error(t("save.runNeedsSave"));
      return kind.restore(name, revision);
    },
    onSuccess: (draft: Draft) => {
      store.getState().adopt(draft);
      refresh();
    },
  });
  const publish = useOnce({
    mutationFn: ({ revision, anyway }: { revision: number; anyway?: boolean }) => kind.publish(name, revision, anyway),
    onSuccess: (draft: Draft) => {
      store.setState({ draft: { ...store.getState().draft, published_revision: draft.published_revision } });
      refresh();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: testsKey(kind.place, name) }),
  });
  return { restore, publish };
}

/** A note that the server made, not a person. */
const RESTORED = /^Revision \d+ restored$/;

function Version({
  version,
  newest,
  actions,
  onCompare,
}: {
  version: VersionRow;
  newest: boolean;
  actions: ReturnType<typeof useVersionActions>;
  onCompare: () => void;
}) {
  const { t } = useTranslation();
  const say = useSay();
  const format = useFormat();
  const { kind } = useDraftHandle();
  const mayWrite = useMay(`${kind.place}.write`);
  const mayPublish = useMay(`${kind.place}.publish`);
  const { revision, note, created_at: at, created_by: by, published, problem_count: problems } = version;
  return (
    <li className={classes.version} aria-label={t("history.revision", { revision })}>
      <div className="row">
        <b>{t("history.revision", { revision })}</b>
        {published && (
          <Badge variant="light" color="green" size="sm" tt="none" fw={400}>
            {t("tools.state.published")}
          </Badge>
        )}
        {problems > 0 && (
          <span className="small" style={{ color: "var(--wb-red)" }}>
            {t("problems.count", { count: problems })}
          </span>
        )}
        <span className="grow" />
        <time className="muted small" dateTime={at} title={format.dateTime(at)}>
          {format.ago(at)}
        </time>
      </div>
      {note && <p>{by === null || RESTORED.test(note) ? say(note) : note}</p>}
      <p className="muted small">{by ?? t("history.system")}</p>
      <div className={classes.actions}>
        <Button size="compact-xs" variant="subtle" onClick={onCompare}>
          {t("history.compare")}
        </Button>
        {mayWrite && !newest && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={actions.restore.isPending && actions.restore.variables === revision}
            onClick={() => actions.restore.mutate(revision)}
          >
            {t("history.restore")}
          </Button>
        )}
        {mayPublish && !published && problems === 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={actions.publish.isPending && actions.publish.variables.revision === revision}
            onClick={() => actions.publish.mutate({ revision })}
          >
            {t("publish.publish")}
          </Button>
        )}
      </div>
    </li>
  );
}

type VersionTools = Pick<Parameters<typeof Version>[0], "actions"> & {
  newest: number;
  onCompare: (revision: number) => void;
};

/** A version, and folded under it those that saved themselves shortly before. */
export function Sitting({
  saves: { head, rest },
  newest,
  actions,
  onCompare,
}: VersionTools & { saves: Folded<VersionRow> }) {
  const [open, setOpen] = useState(false);
  const shown = open ? [head, ...rest] : [head];
  return (
    <>
      {shown.map((version) => (
        <Version
          key={version.revision}
          version={version}
          newest={version.revision === newest}
          actions={actions}
          onCompare={() => onCompare(version.revision)}
        />
      ))}
      {rest.length > 0 && (
        <li className={classes.earlier}>
          <EarlierButton count={rest.length} open={open} onToggle={() => setOpen(!open)} />
        </li>
      )}
    </>
  );
}
