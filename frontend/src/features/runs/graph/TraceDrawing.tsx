import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowsMaximize, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { GraphFold } from "./fold";
import classes from "./Trace.module.css";
import { BOX, boxesIn, layoutTrace, lineOf, linksIn, type Move, moved } from "./traceLayout";
import { TraceVisit } from "./TraceVisit";
import { numberOf } from "./visitNumbers";
import { durationOf } from "./visits";

const ZOOMS = [0.2, 0.3, 0.45, 0.65, 0.8, 1];
/** Below this nobody can read, so no text is drawn. */
const READABLE = 0.4;
const MOVES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

interface Props {
  fold: GraphFold;
  /** The fold grows in place: this tells when to draw it again. */
  version: number;
  selected: string | null;
  onPick: (id: string) => void;
}

/** Which visit led to which, from left to right; only what is in view is in the page. */
export const TraceDrawing = memo(function TraceDrawing({ fold, version, selected, onPick }: Props) {
  const { t } = useTranslation();
  const name = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [zoom, setZoom] = useState(1);
  const [seen, setSeen] = useState({ left: 0, top: 0, width: 360, height: 320 });
  const [focused, setFocused] = useState<string | null>(null);
  // The fold grows in place; its version tells when.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const layout = useMemo(() => layoutTrace(fold.order), [fold, version]);
  const active = layout.byId.get(focused ?? selected ?? "") ?? layout.boxes[0];

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      atEnd.current = element.scrollLeft + element.clientWidth >= element.scrollWidth - BOX.width;
      setSeen({
        left: element.scrollLeft,
        top: element.scrollTop,
        width: element.clientWidth,
        height: element.clientHeight,
      });
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);

  const shown = focused ?? selected;
  const newest = fold.done ? undefined : layout.boxes.at(-1);
  const place = shown === null ? newest : layout.byId.get(shown);
  useLayoutEffect(() => {
    const element = scroller.current;
    // While a run goes on the newest visit stays in view, unless somebody scrolled away from it.
    if (!element || !place || (shown === null && !atEnd.current)) return;
    const into = (from: number, size: number, start: number, length: number) => {
      const room = Math.min(24, Math.max(0, (length - size) / 2));
      if (from - room < start) return Math.max(0, from - room);
      return from + size + room > start + length ? from + size + room - length : start;
    };
    element.scrollLeft = into(place.x * zoom, BOX.width * zoom, element.scrollLeft, element.clientWidth);
    element.scrollTop = into(place.y * zoom, BOX.height * zoom, element.scrollTop, element.clientHeight);
  }, [place, shown, zoom]);

  const step = (by: 1 | -1) => setZoom((now) => ZOOMS[ZOOMS.indexOf(now) + by] ?? now);
  const fit = () => {
    const fits = (one: number) => layout.width * one <= seen.width && layout.height * one <= seen.height;
    setZoom(ZOOMS.findLast(fits) ?? ZOOMS[0]!);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !active) return;
    if (MOVES.has(event.key)) setFocused(moved(layout, active, event.key as Move).visit.id);
    else if (event.key === "Enter" || event.key === " ") onPick(active.visit.id);
    else if (event.key === "+" || event.key === "-") step(event.key === "+" ? 1 : -1);
    else if (event.key === "1") fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const view = {
    left: seen.left / zoom,
    top: seen.top / zoom,
    right: (seen.left + seen.width) / zoom,
    bottom: (seen.top + seen.height) / zoom,
  };
  const width = view.right - view.left;
  const height = view.bottom - view.top;
  const tools: [string, typeof IconZoomIn, () => void][] = [
    ["out", IconZoomOut, () => step(-1)],
    ["in", IconZoomIn, () => step(1)],
    ["fit", IconArrowsMaximize, fit],
  ];
  return (
    <div className={classes.drawing}>
      <div ref={scroller} className={classes.scroller}>
        <div className={classes.sizer} style={{ width: layout.width * zoom, height: layout.height * zoom }}>
          <div className={classes.paper} style={{ transform: `scale(${zoom})` }}>
            <svg
              className={classes.links}
              style={{ left: view.left, top: view.top, width, height }}
              viewBox={`${view.left} ${view.top} ${width} ${height}`}
              aria-hidden="true"
            >
              {linksIn(layout, view).map((link) => (
                <path
                  key={`${link.from?.visit.id ?? ""}>${link.to.visit.id}`}
                  d={lineOf(link)}
                  data-inside={link.inside || undefined}
                  data-gone={link.to.visit.takenBack || undefined}
                />
              ))}
            </svg>
            <div
              role="listbox"
              tabIndex={0}
              className={classes.boxes}
              aria-label={t("run.visit.trace")}
              aria-activedescendant={active ? `${name}${active.visit.id}` : undefined}
              onKeyDown={onKeyDown}
              onBlur={() => setFocused(null)}
            >
              {boxesIn(layout, view).map((box) => (
                <TraceVisit
                  key={box.visit.id}
                  id={`${name}${box.visit.id}`}
                  box={box}
                  number={numberOf(fold, box.visit)}
                  state={box.visit.state}
                  took={durationOf(box.visit)}
                  gone={box.visit.takenBack}
                  selected={selected === box.visit.id}
                  active={active === box}
                  readable={zoom >= READABLE}
                  onPick={onPick}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
      <div className={classes.zoom} role="group" aria-label={t("run.visit.zoom.title")}>
        {tools.map(([key, Shape, act]) => (
          <Tooltip key={key} label={t(`run.visit.zoom.${key as "in"}`)}>
            <ActionIcon variant="default" size="sm" aria-label={t(`run.visit.zoom.${key as "in"}`)} onClick={act}>
              <Shape size={14} />
            </ActionIcon>
          </Tooltip>
        ))}
      </div>
    </div>
  );
});
