import { ActionIcon, Select, Tooltip } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { GraphVisit } from "./fold";

/** Which turn of a loop is shown; the list of them is made when it opens, as there may be thousands. */
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
  const [open, setOpen] = useState(false);
  const index = visits.indexOf(visit);
  const all = visits.length;
  const name = (n: number) => t("run.visit.nOf", { n: n + 1, all });
  const every = useMemo(
    () => (open ? visits.map(({ id }, n) => ({ value: id, label: name(n) })) : null),
    // Turns that come while it is open are not added: the list would move under the pointer.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [open],
  );
  const go = (to: number) => visits[to] && onPick(visits[to].id);
  return (
    <div className="row" role="group" aria-label={t("run.visit.turns")}>
      <Tooltip label={t("run.visit.previous")}>
        <ActionIcon
          variant="default"
          aria-label={t("run.visit.previous")}
          disabled={index <= 0}
          onClick={() => go(index - 1)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
      </Tooltip>
      <Select
        aria-label={t("run.visit.turn")}
        data={every ?? [{ value: visit.id, label: name(index) }]}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        value={visit.id}
        onChange={(id) => id && onPick(id)}
        searchable
        limit={200}
        className="grow"
      />
      <Tooltip label={t("run.visit.next")}>
        <ActionIcon
          variant="default"
          aria-label={t("run.visit.next")}
          disabled={index >= visits.length - 1}
          onClick={() => go(index + 1)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
