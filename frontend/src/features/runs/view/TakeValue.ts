import { createContext } from "react";

/** Takes a value of a step's answer into a variable; there where the step can be written. */
export const TakeValueContext = createContext<((step: number, path: string) => void) | null>(null);
