import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StateIcon } from "@/shared/ui/StateIcon";
import type { GraphFold, GraphVisit } from "./fold";
import classes from "./Graph.module.css";
import { numberOf } from "./visitNumbers";

const FIRST = 50;

interface Props {
  visits: readonly GraphVisit[];
  fold: GraphFold;
  onPick: (id: string) => void;
}

/** The visits inside a visit: those of the graph that it ran, or of each item's. */
export function InsideList({ visits, fold, onPick }: Props) {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  return (
    <>
      <ol className={classes.trace}>
        {(whole ? visits : visits.slice(0, FIRST)).map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onPick(one.id)}>
              <StateIcon status={one.state} size={14} />
              <span className="truncate grow">{one.node}</span>
              <span className="small muted">{numberOf(fold, one)}</span>
            </button>
          </li>
        ))}
      </ol>
      {!whole && visits.length > FIRST && (
        <button type="button" className={classes.link} onClick={() => setWhole(true)}>
          {t("common.more")}
        </button>
      )}
    </>
  );
}
