import { useCallback, useState } from "react";
import type { InputsState } from "./RunStart";

interface Stored {
  values: Record<string, string>;
  environment: string | null;
}

function load(key: string): Stored {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "") as Partial<Stored>;
    return { values: stored.values ?? {}, environment: stored.environment ?? null };
  } catch {
    return { values: {}, environment: null };
  }
}

/** The last inputs of a tool, remembered in this browser for this person. */
export function useInputs(tool: string, username: string): InputsState {
  const key = `workbench.inputs.${username}.${tool}`;
  const [stored, setStored] = useState(() => load(key));
  const change = useCallback(
    (make: (now: Stored) => Stored) =>
      setStored((now) => {
        const next = make(now);
        localStorage.setItem(key, JSON.stringify(next));
        return next;
      }),
    [key],
  );
  return {
    ...stored,
    setValue: useCallback(
      (name, value) => change((now) => ({ ...now, values: { ...now.values, [name]: value } })),
      [change],
    ),
    setEnvironment: useCallback((environment) => change((now) => ({ ...now, environment })), [change]),
  };
}
