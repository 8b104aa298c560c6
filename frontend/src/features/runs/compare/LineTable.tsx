import { IconEqual, IconEqualNot } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { type Say, useSay } from "@/shared/i18n/sentences";
import { writeJson } from "@/shared/json/exact";
import { StateIcon } from "@/shared/ui/StateIcon";
import { VirtualRows } from "../graph/VirtualRows";
import classes from "./Compare.module.css";
import type { Line, Row } from "./lines";

const ROW = 36;
const PREVIEW = 160;

function previewOf({ parts }: Line, say: Say): string {
  if (parts.error?.kind === "string") return say(parts.error.value).slice(0, PREVIEW);
  const shown = parts.output ?? parts.delta ?? parts.variables ?? parts.answer ?? parts.question;
  if (!shown) return "";
  const text = shown.kind === "object" ? shown.entries.find(([key]) => key === "text")?.[1] : undefined;
  if (text?.kind === "string" && text.value) return text.value.slice(0, PREVIEW);
  return (shown.kind === "string" ? shown.value : writeJson(shown)).slice(0, PREVIEW);
}

function Side({ line }: { line: Line | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const say = useSay();
  if (!line) return <span className={classes.none}>{t("compare.notDone")}</span>;
  return (
    <>
      <StateIcon status={line.state} size={14} />
      <span className="muted">{line.id}</span>
      <span className={`mono truncate ${classes.preview}`}>{previewOf(line, say)}</span>
      <span className={`muted ${classes.took}`}>{format.duration(line.tookMs)}</span>
    </>
  );
}

interface Props {
  rows: readonly Row[];
  /** The first row that differs. */
  first: number;
  picked: number;
  onPick: (index: number) => void;
  nameOf: (line: Line) => string;
  names: [string, string];
}

/** What both runs did, step beside step. */
export function LineTable({ rows, first, picked, onPick, nameOf, names }: Props) {
  const { t } = useTranslation();
  const table = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    table.current?.scrollIntoView({ block: "nearest" });
    if (!moved.current) return;
    moved.current = false;
    // The row that came into view takes the focus; one that was far away is in the page only after the list scrolled.
    const focus = () => table.current?.querySelector<HTMLElement>(`[aria-rowindex="${picked + 2}"] button`)?.focus();
    let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(focus)));
    return () => cancelAnimationFrame(frame);
  }, [picked]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: picked + 1, ArrowUp: picked - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || !rows[to]) return;
    event.preventDefault();
    moved.current = true;
    onPick(to);
  };
  return (
    <div ref={table} className={classes.lines} onKeyDownCapture={onKeyDown}>
      <VirtualRows
        count={rows.length}
        height={ROW}
        label={t("compare.lines")}
        showing={picked}
        header={
          <div role="row" aria-rowindex={1} className={classes.line}>
            <span role="columnheader">{t("compare.step")}</span>
            <span role="columnheader">{names[0]}</span>
            <span role="columnheader">{names[1]}</span>
          </div>
        }
        row={(index) => {
          const { left, right, same } = rows[index]!;
          const line = (left ?? right)!;
          const Mark = same ? IconEqual : IconEqualNot;
          return (
            <div
              role="row"
              aria-rowindex={index + 2}
              className={classes.line}
              data-same={same || undefined}
              data-picked={index === picked || undefined}
              onClick={() => onPick(index)}
            >
              <span role="cell" className={classes.step} style={{ paddingLeft: Math.min(line.depth, 8) * 14 }}>
                <button type="button" aria-pressed={index === picked} tabIndex={index === picked ? 0 : -1}>
                  <Mark size={14} aria-hidden="true" />
                  <span className="visually-hidden">{t(same ? "compare.same" : "compare.differs")}</span>
                  <span className="truncate">{nameOf(line)}</span>
                </button>
                {index === first && <span className={classes.first}>{t("compare.first")}</span>}
              </span>
              <span role="cell" className={classes.side}>
                <Side line={left} />
              </span>
              <span role="cell" className={classes.side}>
                <Side line={right} />
              </span>
            </div>
          );
        }}
      />
    </div>
  );
}
