import { type ComponentType, createContext } from "react";

export interface TakeTextProps {
  step: number;
  text: string;
  /** Whether the text is only the beginning of the answer. */
  cut: boolean;
}

/** How values of a step's answer get into variables; there where the step can be written. */
export interface TakeValue {
  /** Takes what is at a path. */
  path: (step: number, path: string) => void;
  /** The answer as text of which a part can be selected and taken. */
  Text: ComponentType<TakeTextProps>;
}

export const TakeValueContext = createContext<TakeValue | null>(null);
