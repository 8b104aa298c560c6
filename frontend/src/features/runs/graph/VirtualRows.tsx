import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import classes from "./Graph.module.css";
import { boxHeight, rowsInView, scrollTo, slotsOf } from "./rowsInView";

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
  const whole = boxHeight(count, height);

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
    const top = scrollTo(showing, count, height, element.clientHeight);
    const room = element.clientHeight - head - height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + room) element.scrollTop = top - room / 2;
    // Rows that come meanwhile don't bring it back to somebody who looks elsewhere.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [showing, height]);

  // While the end is followed its rows are known before the box was scrolled there: they are drawn once, not twice.
  const top = following ? Math.max(0, whole - view.height) : view.top;
  const { first, last, offset } = rowsInView(count, height, top, view.height);
  const span = Math.max(0, last - first);
  // As many as can be in view at most, so that a row keeps its slot while it is.
  const slots = slotsOf(height, view.height);
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
      <div role="rowgroup" style={{ height: whole, position: "relative" }}>
        <div style={{ transform: `translateY(${offset}px)` }}>
          {Array.from({ length: span }, (_, index) => (
            // Rows that go out of view at one end serve for those that come in at the other.
            <Fragment key={(first + index) % slots}>{row(first + index)}</Fragment>
          ))}
        </div>
      </div>
    </div>
  );
}
