import { Button, SegmentedControl, Textarea } from "@mantine/core";
import { IconGitMerge } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SaveConflict } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { useOnce } from "@/shared/hooks/useOnce";
import { DiffView } from "./DiffView";
import { useDraft, useDraftHandle } from "./DraftContext";
import { mergeTexts } from "./merge";
import classes from "./Editor.module.css";

function Conflict({ conflict }: { conflict: SaveConflict }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, store, saver } = useDraftHandle();
  const mine = useDraft((state) => state.text);
  const name = useDraft((state) => state.draft.name);
  const base = useQuery({
    queryKey: [kind.place, "version", name, conflict.yours.base_revision],
    queryFn: () => kind.version(name, conflict.yours.base_revision),
    staleTime: Infinity,
  });
  const theirs = conflict.current.yaml;
  const merged = base.data ? mergeTexts(base.data.yaml, mine, theirs) : { text: mine, clashes: 0 };
  const [view, setView] = useState("diff");
  const [edited, setEdited] = useState<string | null>(null);
  const text = edited ?? merged.text;
  const resolve = useOnce({
    mutationFn: (chosen: string) => {
      store.getState().type(chosen, "");
      return saver.resolve(chosen);
    },
  });
  const who = conflict.current.updated_by ?? t("conflict.someone");
  return (
    <section className={classes.conflict} aria-label={t("conflict.title")}>
      <div className={classes.conflictHead}>
        <div className="grow">
          <h2>{t("conflict.title")}</h2>
          <p className="muted">{t("conflict.text", { who, ago: format.ago(conflict.current.updated_at) })}</p>
        </div>
        <SegmentedControl
          size="xs"
          value={view}
          onChange={setView}
          aria-label={t("conflict.show")}
          data={[
            { value: "diff", label: t("conflict.both") },
            { value: "merge", label: t("conflict.merged") },
          ]}
        />
      </div>
      {view === "diff" ? (
        <DiffView left={theirs} right={mine} leftName={t("conflict.theirs", { who })} rightName={t("conflict.mine")} />
      ) : (
        <div className={classes.merge}>
          <p className="muted small">
            {merged.clashes ? t("conflict.clashes", { count: merged.clashes }) : t("conflict.noClash")}
          </p>
          <Textarea
            aria-label={t("conflict.merged")}
            value={text}
            onChange={(e) => setEdited(e.currentTarget.value)}
            spellCheck={false}
            styles={{
              root: { height: "100%" },
              wrapper: { height: "100%" },
              input: { height: "100%", fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12.5 },
            }}
          />
        </div>
      )}
      <div className={classes.conflictFoot}>
        <Button variant="default" onClick={() => resolve.mutate(theirs)}>
          {t("conflict.takeTheirs")}
        </Button>
        <Button variant="default" onClick={() => resolve.mutate(mine)}>
          {t("conflict.keepMine")}
        </Button>
        <Button
          leftSection={<IconGitMerge size={15} />}
          onClick={() => resolve.mutate(text)}
          loading={resolve.isPending}
          disabled={base.isPending}
        >
          {t("conflict.saveMerged")}
        </Button>
      </div>
    </section>
  );
}

/** Someone else saved first: both texts, their difference, and what to do; neither is lost, both stay versions. */
export function ConflictView() {
  const save = useDraft((state) => state.save);
  return save.kind === "conflict" ? <Conflict conflict={save.conflict} /> : null;
}
