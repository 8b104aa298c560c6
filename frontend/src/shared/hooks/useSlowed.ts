import { useEffect, useRef, useState } from "react";

/**
 * A value that changes often, handed on at most every `ms`: the first one at once, and the last one always.
 *
 * For pictures that cost much to draw anew while a run makes thousands of events a second.
 */
export function useSlowed<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value);
  const last = useRef(-Infinity);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        last.current = performance.now();
        setShown(value);
      },
      Math.max(0, last.current + ms - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [value, ms]);
  return shown;
}
