import { createContext, useContext } from "react";

/** Where a pasted request goes: into a new step, or in the place of a step's request. */
export type CurlPlace = { at: number } | { step: number };

export interface CurlTools {
  /** Turns a command into a step; false while another one is being read. */
  paste: (command: string, place: CurlPlace) => void;
  pending: boolean;
  error: unknown;
  /** The step that the error belongs beside; null for the end of the list. */
  errorAt: number | null;
}

export const CurlContext = createContext<CurlTools | null>(null);

export function useCurl(): CurlTools {
  const tools = useContext(CurlContext);
  if (!tools) throw new Error("No place for commands around this component");
  return tools;
}
