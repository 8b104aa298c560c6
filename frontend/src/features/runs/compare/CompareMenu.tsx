import { ActionIcon, Button, Loader, Menu } from "@mantine/core";
import { IconGitCompare } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunRow } from "@/shared/api/shapes";
import { useFormat } from "@/shared/hooks/useFormat";
import { StateIcon } from "@/shared/ui/StateIcon";
import { runList } from "../requests/runList";
import classes from "./Compare.module.css";

const MOST = 12;

interface Props {
  run: Pick<RunRow, "id" | "kind" | "name" | "parent">;
  /** Where there is no room for words. */
  compact?: boolean;
}

/** "Compare with…": the run from which this one began, those that began from it, the last ones of the same name. */
export const CompareMenu = memo(function CompareMenu({ run, compact }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [opened, setOpened] = useState(false);
  const list = useQuery({
    queryKey: ["runs", "to-compare", run.kind, run.name],
    queryFn: () => runList({ kind: run.kind, name: run.name, inputs_short: true }),
    enabled: opened,
  });
  const dropdown = useRef<HTMLDivElement>(null);
  const there = list.data !== undefined;
  // The items come after the menu has opened, and the keyboard goes on among them.
  useEffect(() => {
    if (!opened || !there) return;
    const frame = requestAnimationFrame(() =>
      dropdown.current?.querySelector<HTMLElement>("[role=menuitem]:not([data-disabled])")?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [opened, there]);
  const others = list.data?.results.filter(({ id }) => id !== run.id) ?? [];
  const forks = others.filter(({ parent }) => parent === run.id);
  const rest = others.filter(({ id, parent }) => id !== run.parent && parent !== run.id).slice(0, MOST);
  const item = (one: { id: string } & Partial<RunRow>) => (
    <Menu.Item
      key={one.id}
      component={Link}
      to={`/runs/${run.id}/compare/${one.id}`}
      className={classes.choice}
      leftSection={
        one.status && (
          <span aria-hidden="true">
            <StateIcon status={one.status} size={14} />
          </span>
        )
      }
      title={one.inputs_short ?? undefined}
    >
      <span className="truncate">{one.inputs_short || t("compare.noInputs")}</span>
      <span className={`muted small ${classes.choiceFacts}`}>
        {one.status && <span>{t(`status.${one.status}`)}</span>}
        {one.created_at && <span>{format.ago(one.created_at)}</span>}
        {one.duration_ms != null && <span>{format.duration(one.duration_ms)}</span>}
        <span className="mono">{one.id.slice(0, 8)}</span>
      </span>
    </Menu.Item>
  );
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={360}>
      <Menu.Target>
        {compact ? (
          <ActionIcon variant="subtle" color="gray" aria-label={t("compare.with")} title={t("compare.with")}>
            <IconGitCompare size={16} />
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={<IconGitCompare size={14} />}>
            {t("compare.with")}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown ref={dropdown} className={classes.choices}>
        {run.parent && (
          <>
            <Menu.Label>{t("run.parent")}</Menu.Label>
            {item(others.find(({ id }) => id === run.parent) ?? { id: run.parent })}
          </>
        )}
        {forks.length > 0 && (
          <>
            <Menu.Label>{t("compare.forks")}</Menu.Label>
            {forks.slice(0, MOST).map(item)}
          </>
        )}
        <Menu.Label>{t("compare.lastRuns", { name: run.name })}</Menu.Label>
        {list.isPending && (
          <Menu.Item disabled>
            <Loader size={14} />
          </Menu.Item>
        )}
        {list.data && rest.length === 0 && <Menu.Item disabled>{t("compare.noOther")}</Menu.Item>}
        {rest.map(item)}
      </Menu.Dropdown>
    </Menu>
  );
});
