import { useCallback, useEffect, useRef, useState } from "react";

export interface FieldState {
  value: string;
  /** True while what stands in the field could not be written into the document. */
  refused: boolean;
  set: (text: string) => void;
  /** Writes at once what still waits. */
  flush: () => void;
}

const pending = new Set<() => void>();

/** Writes what still waits in any field, before the document is run, saved or left. */
export function flushFields(): void {
  for (const write of [...pending]) write();
}

/** A field that writes when it is left: what waits in it is written with the others. `write` is null while nothing does. */
export function usePending(write: (() => void) | null): void {
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  const waits = write !== null;
  useEffect(() => {
    if (!waits) return;
    const now = () => latest.current?.();
    pending.add(now);
    return () => void pending.delete(now);
  }, [waits]);
}

/**
 * A field's text: what was typed stands at once, the document follows; what changes the document elsewhere (undo, the
 * other view) shows here. In a long document the writing can wait until typing pauses for `delay` milliseconds.
 */
export function useField(value: string, commit: (text: string) => boolean, delay = 0): FieldState {
  const [local, setLocal] = useState(value);
  const [refused, setRefused] = useState(false);
  const committed = useRef(value);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; write: () => void } | null>(null);

  useEffect(() => {
    if (value === committed.current) return;
    committed.current = value;
    setLocal(value);
    setRefused(false);
  }, [value]);

  const flush = useCallback(() => {
    const write = waiting.current?.write;
    clearTimeout(waiting.current?.timer);
    waiting.current = null;
    pending.delete(flush);
    write?.();
  }, []);
  useEffect(() => flush, [flush]);

  const set = (text: string) => {
    setLocal(text);
    const write = () => {
      const before = committed.current;
      committed.current = text;
      const done = commit(text);
      if (!done) committed.current = before;
      setRefused(!done);
    };
    if (delay === 0) {
      write();
      return;
    }
    clearTimeout(waiting.current?.timer);
    waiting.current = { write, timer: setTimeout(flush, delay) };
    pending.add(flush);
  };
  return { value: local, refused, set, flush };
}
