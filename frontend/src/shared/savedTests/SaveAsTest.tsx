import { Anchor, Button, Popover, TextInput, Tooltip } from "@mantine/core";
import { IconTestPipe } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SavedTest } from "@/shared/api/shapes";
import { useOnce } from "@/shared/hooks/useOnce";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { StateIcon } from "@/shared/ui/StateIcon";
import { DifferenceView } from "./DifferenceView";
import { type Place, savedTestCreate, testsKey } from "./requests";
import classes from "./SavedTests.module.css";
import { titleOf } from "./titleOf";

interface Props {
  place: Place;
  run: { id: string; name: string; status: string; inputs: Record<string, unknown> };
  /** Where there is little room, as in an editor. */
  small?: boolean;
  /** Whether the tests are shown beside it, so that no way to them is needed. */
  here?: boolean;
}

/** What came of saving: a test is run at once. */
function Saved({ test, place, name, here }: { test: SavedTest; place: Place; name: string; here?: boolean }) {
  const { t } = useTranslation();
  const difference = test.last_result?.difference;
  return (
    <div className={classes.saved} role="status">
      <p className="row">
        <StateIcon status={difference ? "failed" : "finished"} />
        {t(difference ? "tests.savedFails" : "tests.savedPasses", { title: test.title })}
      </p>
      {difference && <DifferenceView difference={difference} />}
      {!here && (
        <Anchor component={Link} to={`/${place}/${encodeURIComponent(name)}?show=tests`} size="sm">
          {t("tests.open")}
        </Anchor>
      )}
    </div>
  );
}

/** Makes a test of a run that ended: a small form for the title, opened at the button. */
export function SaveAsTest({ place, run, small, here }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const may = useMay(`${place}.write`);
  const [opened, setOpened] = useState(false);
  const [title, setTitle] = useState("");
  const save = useOnce({
    mutationFn: () => savedTestCreate(place, run.name, run.id, title.trim()),
    onSuccess: () => void queries.invalidateQueries({ queryKey: testsKey(place, run.name) }),
  });
  if (!may || !["finished", "failed"].includes(run.status)) return null;
  const open = () => {
    if (!opened) {
      setTitle(titleOf(run));
      save.reset();
    }
    setOpened(!opened);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim()) save.mutate();
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={360} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Tooltip label={t("tests.saveTip")} multiline w={280} disabled={opened}>
          <Button
            variant="default"
            size={small ? "compact-sm" : undefined}
            leftSection={<IconTestPipe size={14} />}
            aria-expanded={opened}
            onClick={open}
          >
            {t(here ? "tests.saveThis" : "tests.save")}
          </Button>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("tests.save")}>
        {save.data ? (
          <Saved test={save.data} place={place} name={run.name} here={here} />
        ) : (
          <form onSubmit={submit} className={classes.form}>
            <TextInput
              label={t("tests.name")}
              description={t("tests.saveHint")}
              value={title}
              maxLength={120}
              onChange={(event) => setTitle(event.currentTarget.value)}
              onFocus={(event) => event.currentTarget.select()}
              data-autofocus
            />
            <ErrorLine error={save.error} />
            <div className="row" style={{ justifyContent: "flex-end" }}>
              <Button variant="default" onClick={() => setOpened(false)}>
                {t("common.cancel")}
              </Button>
              <Button type="submit" loading={save.isPending} disabled={!title.trim()}>
                {t("save.save")}
              </Button>
            </div>
          </form>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
