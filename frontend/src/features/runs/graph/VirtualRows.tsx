import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./Graph.module.css";

const OVERSCAN = 8;
/** Browsers can't draw boxes of any height: beyond this the scroll bar stands for the rows in proportion. */
const TALLEST = 8_000_000;

interface Props {
  count: number;
  height: number;
  label: string;
  header?: ReactNode;
  /** Whether the end is kept in view while rows come. */
  follow?: boolean;
  /** A row that is brought into view, when it becomes another one. */
  showing?: number;
  /** Gives a row without a key. */
  row: (index: number) => ReactNode;
}

/** Rows of one height, of which only those in view are in the page. */
export function VirtualRows({ count, height, label, header, follow, showing, row }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const atEnd = useRef(true);
  const total = count * height;
  const scale = total > TALLEST ? TALLEST / total : 1;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    look();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    const used = element !== document.activeElement && element?.contains(document.activeElement);
    if (follow && element && atEnd.current && !used) element.scrollTop = element.scrollHeight;
  }, [count, follow]);
  useEffect(() => {
    const element = box.current;
    if (!element || showing === undefined) return;
    const head = element.querySelector<HTMLElement>(`.${classes.rowsHead}`)?.offsetHeight ?? 0;
    const top = showing * height * scale;
    const room = element.clientHeight - head - height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + room) element.scrollTop = top - room / 2;
  }, [showing, height, scale]);

  const first = Math.max(0, Math.floor(view.top / scale / height) - OVERSCAN);
  const last = Math.min(count, Math.ceil((view.top / scale + view.height) / height) + OVERSCAN);
  const span = Math.max(0, last - first);
  // As many as can be in view at most, so that a row keeps its slot while it is.
  const slots = Math.ceil(view.height / height) + 2 * OVERSCAN + 2;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const element = event.currentTarget;
    if (event.target !== element) return;
    if (event.key === "Home") element.scrollTop = 0;
    else if (event.key === "End") element.scrollTop = element.scrollHeight;
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      className={classes.rows}
      role="table"
      aria-label={label}
      aria-rowcount={count}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
        atEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
        setView({ top: scrollTop, height: clientHeight });
      }}
    >
      {header && (
        <div role="rowgroup" className={classes.rowsHead}>
          {header}
        </div>
      )}
      <div role="rowgroup" style={{ height: total * scale, position: "relative" }}>
        <div style={{ transform: `translateY(${first * height * scale}px)` }}>
          {Array.from({ length: span }, (_, index) => (
            // Rows that go out of view at one end serve for those that come in at the other.
            <Fragment key={(first + index) % slots}>{row(first + index)}</Fragment>
          ))}
        </div>
      </div>
    </div>
  );
}
