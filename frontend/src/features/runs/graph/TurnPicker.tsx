import { ActionIcon, Select } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { GraphVisit } from "./fold";

/** Which turn of a loop is shown. */
export function TurnPicker({
  visits,
  visit,
  onPick,
}: {
  visits: readonly GraphVisit[];
  visit: GraphVisit;
  onPick: (id: string) => void;
}) {
  const { t } = useTranslation();
  const index = visits.indexOf(visit);
  const go = (to: number) => visits[to] && onPick(visits[to].id);
  return (
    <div className="row" role="group" aria-label={t("run.visit.turns")}>
      <ActionIcon
        variant="default"
        aria-label={t("run.visit.previous")}
        disabled={index <= 0}
        onClick={() => go(index - 1)}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <Select
        aria-label={t("run.visit.turn")}
        data={visits.map((one, n) => ({ value: one.id, label: t("run.visit.nOf", { n: n + 1, all: visits.length }) }))}
        value={visit.id}
        onChange={(id) => id && onPick(id)}
        searchable
        limit={200}
        className="grow"
      />
      <ActionIcon
        variant="default"
        aria-label={t("run.visit.next")}
        disabled={index >= visits.length - 1}
        onClick={() => go(index + 1)}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </div>
  );
}
