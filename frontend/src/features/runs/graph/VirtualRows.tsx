import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import classes from "./Graph.module.css";

const OVERSCAN = 8;
/** Browsers can't draw boxes of any height: beyond this the scroll bar stands for the rows in proportion. */
const TALLEST = 8_000_000;

interface View {
  top: number;
  height: number;
  atEnd: boolean;
}

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
  const [view, setView] = useState<View>({ top: 0, height: 600, atEnd: true });
  /** Whether somebody is at a row, which must not go away under their hands. */
  const [used, setUsed] = useState(false);
  const total = count * height;
  const scale = total > TALLEST ? TALLEST / total : 1;

  const following = Boolean(follow) && view.atEnd && !used;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setView((was) => ({ ...was, top: element.scrollTop, height: element.clientHeight }));
    const observer = new ResizeObserver(look);
    observer.observe(element);
    look();
    return () => observer.disconnect();
    // Where the end is not followed any more one looks where one is.
  }, [following]);
  useLayoutEffect(() => {
    const element = box.current;
    if (following && element) element.scrollTop = element.scrollHeight;
  }, [count, following]);
  useEffect(() => {
    const element = box.current;
    if (!element || showing === undefined) return;
    const head = element.querySelector<HTMLElement>(`.${classes.rowsHead}`)?.offsetHeight ?? 0;
    const top = showing * height * scale;
    const room = element.clientHeight - head - height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + room) element.scrollTop = top - room / 2;
  }, [showing, height, scale]);

  // While the end is followed its rows are known before the box was scrolled there: they are drawn once, not twice.
  const top = following ? Math.max(0, total * scale - view.height) : view.top;
  const first = Math.max(0, Math.floor(top / scale / height) - OVERSCAN);
  const last = Math.min(count, Math.ceil((top / scale + view.height) / height) + OVERSCAN);
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
      onFocus={(event) => setUsed(event.target !== event.currentTarget)}
      onBlur={() => setUsed(false)}
      onScroll={(event) => {
        const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
        const next = { top: scrollTop, height: clientHeight, atEnd: scrollTop + clientHeight >= scrollHeight - 4 };
        setView((was) => (following && next.atEnd && was.height === next.height ? was : next));
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
