import { useEffect, useRef, useState } from "react";

export interface FieldState {
  value: string;
  /** True while what stands in the field could not be written into the document. */
  refused: boolean;
  set: (text: string) => void;
}

/**
 * A field's text: what was typed stands at once, the document follows; what changes the document elsewhere (undo, the
 * other view) shows here.
 */
export function useField(value: string, commit: (text: string) => boolean): FieldState {
  const [local, setLocal] = useState(value);
  const [refused, setRefused] = useState(false);
  const committed = useRef(value);

  useEffect(() => {
    if (value === committed.current) return;
    committed.current = value;
    setLocal(value);
    setRefused(false);
  }, [value]);

  const set = (text: string) => {
    setLocal(text);
    const before = committed.current;
    committed.current = text;
    const done = commit(text);
    if (!done) committed.current = before;
    setRefused(!done);
  };
  return { value: local, refused, set };
}
