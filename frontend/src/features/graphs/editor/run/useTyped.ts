import { useEffect, useRef, useState } from "react";
import { useSession } from "@/shared/session/session";
import { useEditor } from "../context";
import { typedOf } from "./inputs";
import type { Typed } from "./RunFields";
import { useNamedRun } from "./watched";

function load(key: string): Typed {
  try {
    return { values: {}, environment: null, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as object) };
  } catch {
    return { values: {}, environment: null };
  }
}

/** What was typed as inputs, remembered for each person and graph; of a run that is opened here, its own. */
export function useTyped(): [Typed, (typed: Typed) => void] {
  const name = useEditor((state) => state.draft.name);
  const key = `workbench.inputs.${useSession()?.username ?? ""}.graph.${name}`;
  const [typed, setTyped] = useState(() => load(key));
  const { first: row } = useNamedRun();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!row || seen.current === row.id) return;
    seen.current = row.id;
    setTyped(({ values, environment }) => ({
      values: { ...values, ...typedOf((row.inputs ?? {}) as Record<string, unknown>) },
      environment: row.environment ?? environment,
    }));
  }, [row]);
  return [
    typed,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      setTyped(next);
    },
  ];
}
