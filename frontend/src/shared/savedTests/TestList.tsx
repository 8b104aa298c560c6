import { Button } from "@mantine/core";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SavedTest } from "@/shared/api/shapes";
import { useDraft, useDraftHandle } from "@/shared/editor/DraftContext";
import { useMay } from "@/shared/session/session";
import { Confirm } from "@/shared/ui/Confirm";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { Waiting } from "@/shared/ui/Waiting";
import { savedTestDelete, savedTestRename, savedTestsRun, testsKey } from "./requests";
import classes from "./SavedTests.module.css";
import { TestRow } from "./TestRow";
import { useTests } from "./useTests";

function Remove({ test, onClose }: { test: SavedTest; onClose: () => void }) {
  const { t } = useTranslation();
  const { kind } = useDraftHandle();
  const queries = useQueryClient();
  const name = useDraft((state) => state.draft.name);
  const remove = useMutation({
    mutationFn: () => savedTestDelete(kind.place, name, test.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: testsKey(kind.place, name) });
      onClose();
    },
  });
  return (
    <Confirm
      title={t("tests.deleteTitle", { title: test.title })}
      text={t("tests.deleteText")}
      action={t("tools.delete")}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

/** The tests of the open tool or graph; `children` stands beside "Run all". */
export function TestList({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  const { kind, saver } = useDraftHandle();
  const { place } = kind;
  const queries = useQueryClient();
  const name = useDraft((state) => state.draft.name);
  const mayWrite = useMay(`${place}.write`);
  const mayRun = useMay("runs.start");
  const tests = useTests();
  const [removing, setRemoving] = useState<SavedTest | null>(null);
  const put = (changed: readonly SavedTest[]) =>
    queries.setQueryData<SavedTest[]>(testsKey(place, name), (now) =>
      now?.map((test) => changed.find(({ id }) => id === test.id) ?? test),
    );
  const run = useMutation({
    mutationFn: async (id?: string) => {
      if (!(await saver.flush())) throw new Error(t("save.runNeedsSave"));
      return savedTestsRun(place, name, id);
    },
    onSuccess: put,
  });
  const rename = useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => savedTestRename(place, name, id, title),
    onSuccess: (test) => put([test]),
  });
  if (tests.isPending) return <Waiting />;
  const rows = tests.data ?? [];
  const ran = rows.filter(({ last_result: last }) => last !== null);
  const passed = ran.filter(({ last_result: last }) => last!.passed).length;
  return (
    <div className={classes.tests}>
      <div className={classes.head}>
        {mayRun && rows.length > 0 && (
          <Button
            size="compact-sm"
            leftSection={<IconPlayerPlayFilled size={12} />}
            loading={run.isPending && run.variables === undefined}
            onClick={() => run.mutate(undefined)}
          >
            {t("tests.runAll")}
          </Button>
        )}
        {children}
        <span role="status" className={classes.sum} data-bad={passed < ran.length || undefined}>
          {ran.length > 0 && !run.isPending && t("tests.sum", { passed, total: ran.length })}
        </span>
      </div>
      <ErrorLine error={tests.error ?? run.error ?? rename.error} />
      {rows.length === 0 && !tests.error ? (
        <p className="muted">{t("tests.none")}</p>
      ) : (
        <ul className={classes.list} aria-label={t("tests.title")}>
          {rows.map((test) => (
            <TestRow
              key={test.id}
              test={test}
              running={run.isPending && (run.variables === undefined || run.variables === test.id)}
              onRun={mayRun ? () => run.mutate(test.id) : undefined}
              onRename={mayWrite ? (title) => rename.mutate({ id: test.id, title }) : undefined}
              onDelete={mayWrite ? () => setRemoving(test) : undefined}
            />
          ))}
        </ul>
      )}
      {removing && <Remove test={removing} onClose={() => setRemoving(null)} />}
    </div>
  );
}
