import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { StateIcon } from "@/shared/ui/StateIcon";
import classes from "./Compare.module.css";
import type { Compared } from "./useCompared";

interface Fact {
  name: string;
  /** What is compared; left out where a difference says nothing, such as when a run began. */
  of?: (side: Compared) => unknown;
  shown: (side: Compared) => ReactNode;
}

/** How two runs stood: one fact a line, what differs marked. */
export function CompareFacts({ sides }: { sides: [Compared, Compared] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: Fact[] = [
    {
      name: t("compare.run"),
      shown: ({ run }) => (
        <>
          <Anchor component={Link} to="/runs/$id" params={{ id: run.id } as never} size="sm">
            {run.name} {run.id.slice(0, 8)}
          </Anchor>
          {sides.some((one) => one.run.id === run.parent) && <span className="muted"> {t("compare.fork")}</span>}
        </>
      ),
    },
    {
      name: t("runs.status"),
      of: ({ status }) => status,
      shown: ({ status }) => <StateIcon status={status} word />,
    },
    {
      name: t("tools.duration"),
      shown: ({ durationMs, run }) => (
        <>
          {format.duration(durationMs)}
          {run.rested_ms >= 1000 && (
            <span className="muted"> {t("run.rested", { time: format.duration(run.rested_ms) })}</span>
          )}
        </>
      ),
    },
    { name: t("runs.started"), shown: ({ run }) => format.dateTime(run.started_at ?? run.created_at) },
    { name: t("runs.user"), shown: ({ run }) => run.user ?? "–" },
    { name: t("runs.revision"), of: ({ run }) => run.revision, shown: ({ run }) => run.revision },
    { name: t("runs.environment"), of: ({ run }) => run.environment, shown: ({ run }) => run.environment ?? "–" },
  ];
  return (
    <table className={classes.facts} aria-label={t("compare.facts")}>
      <tbody>
        {facts.map(({ name, of, shown }) => {
          const differs = of !== undefined && of(sides[0]) !== of(sides[1]);
          return (
            <tr key={name} data-differs={differs || undefined}>
              <th scope="row">
                {name}
                {differs && <span className="visually-hidden"> {t("compare.differs")}</span>}
              </th>
              <td>{shown(sides[0])}</td>
              <td>{shown(sides[1])}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
